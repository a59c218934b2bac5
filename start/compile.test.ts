import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { freePorts } from '../scripts/free-ports.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'purlin-compiled-'))
chmodSync(folder, 0o755)
after(() => rmSync(folder, { recursive: true, force: true }))

const newFolder = () => mkdtempSync(join(folder, 'of-'))
const envOf = (compiled: string) => ({ ...process.env, NODE_TEST_CONTEXT: '', PURLIN_COMPILED: compiled, NODE_DISABLE_COMPILE_CACHE: '1' })
const optionsOf = (compiled: string) => ({ cwd: root, env: envOf(compiled) })
/** As `start/compiled-files.mjs` names them. */
const nameOf = (text: string) => `${hash('sha256', text).slice(0, 32)}.js`

async function compile(compiled: string): Promise<void> {
  await run(process.execPath, [join(root, 'start', 'compile-sources.mjs')], optionsOf(compiled))
}

/** Each does to a file what a power failure or a failing disk may do. */
const damages = {
  'is missing': (file: string) => rmSync(file),
  'is empty': (file: string) => truncateSync(file),
  'ends early': (file: string) => truncateSync(file, readFileSync(file).length - 1),
  'has zeros for its content': (file: string) => writeFileSync(file, Buffer.alloc(readFileSync(file).length)),
}

const compilerOf = `process.moduleLoadList.some((name) => name.includes('amaro')) ? 'compiled here' : 'compiled before'`

/** Preloaded: each process of the shop notes, when it is ready, whether it has loaded the compiler. */
const noting = `
  import { appendFileSync } from 'node:fs'
  const send = process.send?.bind(process)
  if (send) process.send = (message, ...more) => {
    if (message.kind === 'ready') appendFileSync(process.env.NOTED, process.env.PURLIN_ROLE + ': ' + (${compilerOf}) + '\\n')
    return send(message, ...more)
  }`

/** Notes written by the processes of a start. */
async function start(databaseUrl: string, compiled: string, ...args: string[]): Promise<string[]> {
  const own = newFolder()
  chmodSync(own, 0o755)
  writeFileSync(join(own, 'noting.mjs'), noting)
  const env = {
    ...envOf(compiled),
    NODE_OPTIONS: `--import=${join(own, 'noting.mjs')}`,
    NOTED: join(own, 'noted'),
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(own, 'data'),
    PORT: String(await freePorts()),
    WEB_PROCESSES: '1',
    DOCUMENTS_PROCESS: 'on',
    LOG_LEVEL: 'warn',
  }
  const shop = spawn(process.execPath, ['start.ts', ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((resolve) => shop.once('exit', resolve))
  let said = ''
  const ready = new Promise<void>((resolve) => {
    for (const stream of [shop.stdout, shop.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += String(chunk)
        if (/^.* s {2}ready$/m.test(said)) resolve()
      })
  })
  await Promise.race([ready, ended])
  shop.kill('SIGTERM')
  assert.equal(await ended, 0, said)
  return readFileSync(env.NOTED, 'utf8').trim().split('\n').toSorted()
}

test('every start has compiled what is missing or damaged before its processes load it, and none of them loads the compiler', async () => {
  const { connectionString, pool } = await testDatabase()
  // With a category of its own the shop is not filled.
  await pool.query(
    `insert into catalogue.category (id, level, position, path, department, names, slugs) values (1, 0, 1, '{1}', 'tools', '{}', '{}')`,
  )
  const compiled = newFolder()
  const all = ['documents', 'services', 'web 1', 'worker']
  assert.deepEqual(
    await start(connectionString, compiled),
    all.map((part) => `${part}: compiled before`),
  )
  const damage = Object.values(damages)
  for (const [at, name] of readdirSync(compiled).entries()) damage[at % damage.length]?.(join(compiled, name))
  assert.deepEqual(await start(connectionString, compiled, '--role', 'worker'), ['worker: compiled before'])
})

test('a compiled file that is missing or damaged is compiled by the process that loads it, and again by the next start', async () => {
  const compiled = newFolder()
  await compile(compiled)
  const file = join(compiled, nameOf(readFileSync(join(root, 'contract/src/markets.ts'), 'utf8')))
  const whole = readFileSync(file, 'utf8')
  const load = async () => {
    const script = `import { marketCodes } from './contract/src/markets.ts'; console.log(marketCodes.length, ${compilerOf})`
    const preload = ['--import', join(root, 'start', 'compiled.mjs')]
    return (await run(process.execPath, [...preload, '--input-type=module', '--eval', script], optionsOf(compiled))).stdout.trim()
  }
  assert.equal(await load(), '5 compiled before')
  for (const [what, damage] of Object.entries(damages)) {
    damage(file)
    assert.equal(await load(), '5 compiled here', what)
    await compile(compiled)
    assert.equal(readFileSync(file, 'utf8'), whole, what)
  }
  assert.equal(await load(), '5 compiled before')
})

test('compiled files that this release does not use are removed once they are a week old', async () => {
  const compiled = newFolder()
  await compile(compiled)
  const used = readdirSync(compiled)
  const unused = { 'old.js': 8, 'old.unfinished': 8, 'recent.js': 6, 'recent.unfinished': 0 }
  for (const name of Object.keys(unused)) writeFileSync(join(compiled, name), '')
  for (const [name, days] of [...Object.entries(unused), ...used.map((each) => [each, 30] as const)]) {
    const at = Date.now() / 1000 - days * 86_400
    utimesSync(join(compiled, name), at, at)
  }
  await compile(compiled)
  assert.deepEqual(readdirSync(compiled).toSorted(), [...used, 'recent.js', 'recent.unfinished'].toSorted())
})
