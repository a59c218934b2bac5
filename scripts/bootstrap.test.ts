import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './find-tests.ts'

const made: string[] = []
after(() => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

const packageOfNode = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

/** A project of one package, a script that prints its arguments, and an npm that counts its installs. */
function project({ npmFails = false } = {}): { folder: string; installs: () => number; lock(version: string): void } {
  const folder = mkdtempSync(join(tmpdir(), 'purlin-bootstrap-'))
  made.push(folder)
  mkdirSync(join(folder, 'scripts'))
  copyFileSync(join(root, 'scripts/bootstrap.mjs'), join(folder, 'scripts/bootstrap.mjs'))
  writeFileSync(
    join(folder, 'say.ts'),
    `const said: unknown[] = [process.version, process.argv.slice(2)]\nconsole.log(JSON.stringify(said))\nprocess.exit(process.argv.includes('fail') ? 7 : 0)\n`,
  )
  const lock = (version: string) =>
    writeFileSync(
      join(folder, 'package-lock.json'),
      JSON.stringify({
        packages: {
          '': {},
          shop: {},
          'node_modules/@x/shop': { link: true },
          'node_modules/one': { version },
          'node_modules/elsewhere': { version: '1.0.0', optional: true },
        },
      }),
    )
  lock('1.0.0')
  writeFileSync(
    join(folder, 'npm.mjs'),
    `import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
    appendFileSync('installs', process.argv[2] + '\\n')
    if (${npmFails}) process.exit(1)
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
    delete lock.packages['node_modules/elsewhere']
    mkdirSync('node_modules', { recursive: true })
    await new Promise((resolve) => setTimeout(resolve, 300))
    writeFileSync('node_modules/.package-lock.json', JSON.stringify(lock))
    try { symlinkSync(${JSON.stringify(join(root, 'node_modules', packageOfNode))}, 'node_modules/${packageOfNode}') } catch {}`,
  )
  const installs = () =>
    existsSync(join(folder, 'installs')) ? readFileSync(join(folder, 'installs'), 'utf8').trim().split('\n').length : 0
  return { folder, installs, lock }
}

async function start(
  folder: string,
  args: string[] = [],
  node = process.execPath,
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(node, ['scripts/bootstrap.mjs', 'say.ts', ...args], {
    cwd: folder,
    env: { ...process.env, NODE_TEST_CONTEXT: '', npm_execpath: join(folder, 'npm.mjs'), npm_lifecycle_event: '' },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => (err += String(chunk)))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out, err }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('missing packages are installed once, then the script runs under the pinned Node with its arguments', async () => {
  const { folder, installs } = project()
  const first = await start(folder, ['--products', '3'])
  assert.equal(first.code, 0, first.err)
  assert.deepEqual(JSON.parse(first.out), [process.version, ['--products', '3']])
  await start(folder)
  assert.equal(installs(), 1)
})

test('a changed lockfile is installed again', async () => {
  const { folder, installs, lock } = project()
  await start(folder)
  lock('1.0.1')
  assert.equal((await start(folder)).code, 0)
  assert.equal(installs(), 2)
})

test('two concurrent starts install once', async () => {
  const { folder, installs } = project()
  const both = await Promise.all([start(folder), start(folder)])
  assert.deepEqual(
    both.map(({ code }) => code),
    [0, 0],
  )
  assert.equal(installs(), 1)
})

test('a failed install is reported in one sentence, and the next start retries', async () => {
  const { folder, installs } = project({ npmFails: true })
  for (const times of [1, 2]) {
    const { code, err } = await start(folder)
    assert.equal(code, 1)
    assert.match(err, /The packages could not be installed/)
    assert.equal(installs(), times)
  }
})

test('the remains of a killed install do not block the next start', async () => {
  const { folder, installs } = project()
  // A pid no process has: pids end at four million.
  writeFileSync(join(folder, '.installing'), '99999999')
  assert.equal((await start(folder)).code, 0)
  assert.equal(installs(), 1)
  assert.equal(existsSync(join(folder, '.installing')), false)
})

test('the script’s exit code is passed on', async () => {
  const { folder } = project()
  assert.equal((await start(folder, ['fail'])).code, 7)
})

test('when npm is killed the script ends too, even behind the shell that npm starts', async () => {
  const { folder } = project()
  await start(folder)
  writeFileSync(join(folder, 'say.ts'), `console.log(process.pid)\nsetInterval(() => {}, 1000)\n`)
  const behind = process.platform === 'linux' ? [`node scripts/bootstrap.mjs say.ts; true`] : []
  for (const shell of [...behind, `exec node scripts/bootstrap.mjs say.ts`]) {
    const npm = spawn(
      process.execPath,
      ['-e', `require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(shell)}], { stdio: 'inherit' })`],
      { cwd: folder, env: { ...process.env, NODE_TEST_CONTEXT: '', npm_lifecycle_event: 'start' }, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const script = Number(await new Promise((resolve) => npm.stdout.once('data', resolve)))
    npm.kill('SIGKILL')
    for (const end = Date.now() + 5000; Date.now() < end && lives(script);) await sleep(50)
    const left = lives(script)
    if (left) process.kill(script)
    assert.equal(left, false, shell)
  }
})

test("the machine's own Node of version 20 is enough to start", async () => {
  const system = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path)) ?? process.execPath
  const { folder } = project()
  const { code, out, err } = await start(folder, [], system)
  assert.equal(code, 0, err)
  assert.equal((JSON.parse(out) as string[])[0], process.version)
})

test('if the pinned Node does not run, a recent enough Node of the machine is used', async () => {
  const { folder } = project()
  const old = join(folder, 'node_modules', packageOfNode, 'bin')
  await start(folder)
  rmSync(join(folder, 'node_modules', packageOfNode), { recursive: true })
  mkdirSync(old, { recursive: true })
  writeFileSync(join(old, 'node'), '#!/bin/sh\nexit 1\n')
  chmodSync(join(old, 'node'), 0o755)
  const { code, out } = await start(folder)
  assert.equal(code, 0)
  assert.equal((JSON.parse(out) as string[])[0], process.version)
})
