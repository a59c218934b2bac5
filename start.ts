/**
 * Starts Purlin: the database, the goods, and the processes that make the shop. Read top to bottom, this is the system.
 *
 *   npm start                     everything, on both cores
 *   npm start -- --products 100   a smaller demo shop, when it is made
 *   npm start -- --role web       one part, against the Postgres of DATABASE_URL: web | gateway | worker
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type PostgresServer,
  type Settings,
  launchPostgres,
  checkSchema,
  childEnvironment,
  log,
  processSettings,
  readSettings,
  startSentence,
} from '@purlin/server/foundation/platform/index.ts'
import { checkDatabase, checkPort, tooFewConnections } from '@purlin/server/foundation/platform/reach.ts'
import { claimDataDir } from '@purlin/server/foundation/platform/single.ts'
import { keptClientSecret } from './start/client-secret.ts'
import { compileSources } from './start/compile.ts'
import { prepare } from './start/prepare.ts'
import { serveMetricsOn } from './start/metrics-port.ts'
import { createProgress } from './start/progress.ts'
import { bindPrivatePort, type SharedPort } from './start/shared-port.ts'
import { type Part, type Supervisor, supervise } from './start/supervise.ts'
import { addresses } from './start/addresses.ts'

if (existsSync('.env')) process.loadEnvFile('.env')

const progress = createProgress()
let database: PostgresServer | undefined
let shop: Supervisor | undefined
let release = () => {}
let stopping = false

async function start(settings: Settings): Promise<void> {
  const withPages = settings.role !== 'gateway' && settings.role !== 'worker'

  // 1. This folder and these ports are ours alone. The folder first: who starts twice is told about the shop that runs.
  const claim = settings.role ? undefined : claimDataDir(settings.dataDir, { pid: process.pid, port: settings.port })
  if (claim) release = claim.release
  if (settings.role !== 'worker') await checkPort(settings.port)
  if (settings.metricsPort !== undefined) await checkPort(settings.metricsPort, 'METRICS_PORT')
  if (claim) {
    await checkPort(settings.port + 1)
    if (settings.identity.isEmbedded) await checkPort(settings.port + 2)
    if (settings.vat.isEmbedded) await checkPort(settings.port + 3)
    if (settings.carrier.kind === 'embedded') await checkPort(settings.port + 4)
    if (settings.credit.kind === 'embedded') await checkPort(settings.port + 5)
    // 2. The database: the embedded one, unless another is given.
    if (!settings.databaseUrl) {
      progress.step('Starting the database')
      database = await launchPostgres({ dataDir: settings.dataDir })
      keepRunning(database, settings)
    }
    claim.update({ pid: process.pid, port: settings.port, databaseUrl: settings.databaseUrl ?? database?.connectionString })
  }
  if (settings.databaseUrl) {
    const { connections } = await checkDatabase(settings.databaseUrl)
    // It goes well until everything is busy while a web process replaces another; behind a pooler, always.
    const problem = tooFewConnections(connections, settings.maxConnections)
    if (problem) log.warn({}, problem)
  }
  if (settings.databaseUrl && settings.role) await checkSchema(settings.databaseUrl)
  const databaseUrl = settings.databaseUrl ?? database?.connectionString ?? ''

  // 3. The sources, compiled when they are not yet; the pages, built when theirs have changed; tables, goods and search index, made when
  // they are missing.
  const compiled = compileSources()
  if (withPages) {
    const { ensurePages } = await import('@purlin/services/identity-provider/build.ts')
    const { ensureBuilt } = await import('@purlin/storefront/server/build.ts')
    const { built } = await ensureBuilt((line) => progress.step(line))
    if (built) progress.done('pages built')
    if (settings.identity.isEmbedded && !settings.role) await ensurePages((line) => progress.step(line))
  }
  const prepared = settings.role ? undefined : await prepare(databaseUrl, settings, progress)

  // 4. The processes. Whichever ends is started again.
  await compiled
  if (stopping) return
  progress.step('Starting the processes')
  const env = childEnvironment({
    NODE_DISABLE_COMPILE_CACHE: '1',
    DATABASE_URL: databaseUrl,
    PORT: String(settings.port),
    DATA_DIR: settings.dataDir,
    SEARCH_DIR: settings.searchDir,
    IDENTITY_CLIENT_SECRET: settings.identity.clientSecret ?? (await keptClientSecret(databaseUrl)),
    ...(settings.files.store === 'folder' && { FILES_DIR: settings.files.directory }),
  })
  const privatePort =
    settings.hasDocumentsProcess && settings.publicApi !== 'closed' && settings.role !== 'worker' ? bindPrivatePort() : null
  if (privatePort) env['PURLIN_DOCUMENTS'] = `${privatePort.port}:${randomBytes(24).toString('hex')}`
  shop = supervise(partsOf(settings, privatePort), env)
  if (settings.metricsPort !== undefined) await serveMetricsOn(settings.metricsPort, shop.metrics, settings.keys.metrics)
  await shop.ready
  progress.done('ready')
  process.stdout.write(addresses(settings, prepared?.hasDemoPeople))
}

/**
 * With an arena of glibc's for each thread that compresses, freed memory is kept in many places; and without fixed thresholds
 * glibc keeps ever larger freed buffers for itself.
 */
const frugalAllocator = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }

/** Requests first, then the outside services, then the worker: the order in which they are stopped. */
function partsOf({ role, processes, webHeapMb, drainMs, port }: Settings, privatePort: SharedPort | null): Part[] {
  const app = (index: number): Part => ({
    name: `web ${index + 1}`,
    file: 'app.ts',
    port,
    execArgv: heapOptions(webHeapMb),
    drainMs,
    // Alone, a part is not woken by those of other supervisors: it polls.
    env: { ...frugalAllocator, PURLIN_PAGES: role === 'gateway' ? 'no' : 'yes', PURLIN_WAKING: role ? 'no' : 'yes' },
    wokenFor: 'order',
  })
  const apps = Array.from({ length: processes }, (_, index) => app(index))
  const documents: Part[] = privatePort
    ? [
        {
          name: 'documents',
          file: 'documents.ts',
          privatePort,
          execArgv: heapOptions(webHeapMb),
          drainMs,
          wokenFor: 'order',
          env: { PURLIN_WAKING: role ? 'no' : 'yes' },
        },
      ]
    : []
  const worker: Part = { name: 'worker', file: 'worker.ts', env: { PURLIN_WAKING: role ? 'no' : 'yes' }, wokenFor: 'work' }
  if (role === 'worker') return [worker]
  if (role) return [...apps, ...documents]
  return [...apps, ...documents, worker, { name: 'services', file: 'services.ts' }]
}

/**
 * With a known maximum V8 collects sooner: it lets the heap grow by a third between two collections, not fourfold as on a machine with
 * much memory. The young generation is three times its semi-space, which V8 would otherwise shrink to a megabyte near the limit: under
 * overload most requests would outlive a collection, and fill the old generation with garbage.
 */
function heapOptions(heapMb: number): string[] {
  return [`--max-old-space-size=${heapMb}`, '--min-semi-space-size=4', '--max-semi-space-size=8']
}

/** A database that ends by itself is started again; the other processes wait for it. */
function keepRunning(server: PostgresServer, settings: Settings): void {
  void server.ended.then(async () => {
    for (let pause = 100; !stopping; pause = Math.min(pause * 2, 5000)) {
      log.warn({}, 'the database ended and is started again')
      try {
        database = await launchPostgres({ dataDir: settings.dataDir })
        return keepRunning(database, settings)
      } catch (error) {
        log.error({ reason: error instanceof Error ? error.message : String(error) }, 'the database does not start')
        await sleep(pause)
      }
    }
  })
}

async function stop(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  if (code === 0) process.stdout.write('\nStopping …\n')
  await shop?.stop()
  await database?.stop()
  release()
  process.exit(code)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
// The script that started us is gone: nobody would stop us any more.
process.on('disconnect', () => void stop(0))

try {
  await start(readSettings())
} catch (error) {
  process.stdout.write('\n')
  process.stderr.write(`${startSentence(error, processSettings().dataDir)}\n`)
  await stop(1)
}
