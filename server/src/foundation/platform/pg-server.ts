import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartError, codeOf } from './errors.ts'
import { asAccount, postgresAccount } from './pg-account.ts'
import { type Place, choosePlace } from './pg-place.ts'

export interface PostgresServer {
  /** For `new pg.Pool({ connectionString })`; database "purlin". */
  connectionString: string
  pid: number
  /** Resolves when the server has ended, for whatever reason. */
  ended: Promise<void>
  /** Fast, clean shutdown: open transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>
}

export interface LaunchOptions {
  /** The shop's data folder; the cluster is inside it if the server's account may enter. */
  dataDir: string
  /** False only for tests: commits may then be lost in a power failure. */
  durable?: boolean
  maxConnections?: number
}

const settings = {
  // The connections of all processes under full load while one replaces another (105), and room for tools.
  max_connections: '120',
  shared_buffers: '256MB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  effective_cache_size: '1GB',
  wal_buffers: '8MB',
  max_wal_size: '1GB',
  min_wal_size: '128MB',
  checkpoint_timeout: '5min',
  checkpoint_completion_target: '0.9',
  // Below the lock timeout of our connections, so that a deadlock is reported as one and retried.
  deadlock_timeout: '200ms',
  random_page_cost: '1.1',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  log_timezone: 'UTC',
  timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_min_messages: 'warning',
  // The details of an error are the keys and rows of the statement: personal data.
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}
const undurable = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Databases of tests are gone before it would be of use.
  autovacuum: 'off',
}

/** Starts the embedded Postgres: creates the cluster the first time, cleans up after a killed one. */
export async function launchPostgres(options: LaunchOptions): Promise<PostgresServer> {
  const account = postgresAccount()
  const place = choosePlace(options.dataDir, account)
  const run = asAccount(account)
  makeCluster(place, run)
  await endLeftover(place.cluster)

  const tcp = process.platform === 'win32' ? await freePort() : undefined
  const given = {
    ...settings,
    ...(options.durable === false ? undurable : {}),
    ...(options.maxConnections ? { max_connections: String(options.maxConnections) } : {}),
    listen_addresses: tcp ? '127.0.0.1' : '',
    ...(tcp ? { port: String(tcp) } : { unix_socket_directories: place.sockets, port: '5432' }),
  }
  const logFile = join(place.cluster, '..', 'postgres.log')
  const args = ['-D', place.cluster, ...Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const connectionString = tcp
    ? `postgres://purlin@127.0.0.1:${tcp}/purlin`
    : `postgres://purlin@localhost:5432/purlin?host=${encodeURIComponent(place.sockets)}`

  const child = await startAndWait(() => spawnServer(place, args, logFile, run), connectionString, logFile)
  const watcher = watchOver(child, run)
  const ended = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })
  void ended.then(() => watcher?.kill())
  const stop = async () => {
    child.ref()
    // Node delivers SIGINT ("fast" shutdown) only on systems with signals; elsewhere pg_ctl is the clean way.
    if (process.platform === 'win32') spawnSync(join(place.native, 'bin', 'pg_ctl.exe'), ['stop', '-D', place.cluster, '-m', 'fast'], run)
    else child.kill('SIGINT')
    await Promise.race([ended, sleep(8000, undefined, { ref: false })])
    child.kill('SIGQUIT')
    await ended
  }
  return { connectionString, pid: child.pid ?? 0, ended, stop }
}

function makeCluster(place: Place, run: ReturnType<typeof asAccount>): void {
  if (existsSync(join(place.cluster, 'PG_VERSION')) && existsSync(join(place.cluster, 'purlin.ready'))) return
  rmSync(place.cluster, { recursive: true, force: true })
  const initdb = spawnSync(
    join(place.native, 'bin', exe('initdb')),
    [
      '-D',
      place.cluster,
      '-U',
      'purlin',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--locale-provider=builtin',
      '--auth=trust',
      '--no-instructions',
    ],
    { ...run, encoding: 'utf8' },
  )
  if (initdb.status !== 0) {
    rmSync(place.cluster, { recursive: true, force: true })
    throw new StartError(sentenceFor(`${initdb.stderr}${initdb.stdout}${initdb.error?.message ?? ''}`, place.cluster))
  }
  const single = spawnSync(join(place.native, 'bin', exe('postgres')), ['--single', '-D', place.cluster, 'template1'], {
    ...run,
    input: 'create database purlin\n',
    encoding: 'utf8',
  })
  if (single.status !== 0) throw new StartError(sentenceFor(single.stderr, place.cluster))
  closeSync(openSync(join(place.cluster, 'purlin.ready'), 'w'))
}

/** A postmaster of this cluster whose parent is gone is stopped; Postgres itself removes the pid file of a dead one. */
async function endLeftover(cluster: string): Promise<void> {
  const note = join(cluster, 'postmaster.pid')
  if (!existsSync(note)) return
  const pid = Number(readFileSync(note, 'utf8').split('\n')[0])
  if (!(pid > 1) || !isPostgres(pid)) {
    // Since a reboot the pid may belong to another process, for which Postgres would wait in vain.
    if (pid > 1 && isAlive(pid)) rmSync(note, { force: true })
    return
  }
  for (const [signal, patience] of [
    ['SIGINT', 8000],
    ['SIGQUIT', 3000],
  ] as const) {
    signalTo(pid, signal)
    for (const end = Date.now() + patience; Date.now() < end && isAlive(pid);) await sleep(20)
    if (!isAlive(pid)) return
  }
  throw new StartError(`An earlier database server (process ${pid}) does not stop: end it and start again.`)
}

function isPostgres(pid: number): boolean {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return true
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres')
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

function spawnServer(place: Place, args: string[], logFile: string, run: ReturnType<typeof asAccount>): ChildProcess {
  if (existsSync(logFile) && statSync(logFile).size > 16 * 1024 * 1024) renameSync(logFile, `${logFile}.1`)
  const log = openSync(logFile, 'a', 0o600)
  if (run.uid !== undefined) chownSync(logFile, run.uid, run.gid ?? run.uid)
  // Its own process group: Ctrl-C must reach the app first, which then stops the database.
  const child = spawn(join(place.native, 'bin', exe('postgres')), args, { ...run, detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  return child
}

/** Waits until it responds; starts again while children of a killed predecessor still hold its shared memory. */
async function startAndWait(start: () => ChildProcess, connectionString: string, logFile: string): Promise<ChildProcess> {
  const from = existsSync(logFile) ? statSync(logFile).size : 0
  const deadline = Date.now() + 60_000
  let child = start()
  while (Date.now() < deadline) {
    if (await answers(connectionString)) return child
    if (child.exitCode !== null || child.signalCode !== null) {
      const said = readFileSync(logFile, 'utf8').slice(from)
      if (!/still in use|still running|lock file/.test(said) || Date.now() > deadline - 50_000)
        throw new StartError(sentenceFor(said, logFile))
      await sleep(100)
      child = start()
    }
    await sleep(10)
  }
  child.kill('SIGQUIT')
  throw new StartError(`The database did not answer within a minute; its log is ${logFile}.`)
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 1000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/**
 * A shell that waits on a pipe of ours: when this process ends, for whatever reason, the pipe closes and the server is
 * told to stop, so that a killed shop leaves no database behind.
 */
function watchOver(server: ChildProcess, run: ReturnType<typeof asAccount>): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined
  const script = 'read _; kill -INT "$1" 2>/dev/null'
  const watcher = spawn('/bin/sh', ['-c', script, 'sh', String(server.pid)], {
    ...run,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  ;(watcher.stdin as unknown as { unref?: () => void } | null)?.unref?.()
  server.unref()
  return watcher
}

function sentenceFor(said: string, where: string): string {
  if (/No space left|ENOSPC|could not extend|Disk quota/i.test(said)) return `The disk is full: the database needs room in ${where}.`
  if (/Permission denied|EACCES/i.test(said)) return `The database may not use ${where}: permission denied.`
  const last = said
    .trim()
    .split('\n')
    .filter((line) => /FATAL|PANIC|error|ERROR/.test(line))
    .at(-1)
  return `The database does not start: ${last ?? `see ${where}`}`
}

function exe(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
