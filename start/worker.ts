/** The process that handles events, jobs and schedules, and writes the search index. */
import { hostname } from 'node:os'
import { connectSearch, rebuildDamaged } from '@purlin/server/goods/listing/index.ts'
import { connectObjectStore, openObjectStore } from '@purlin/server/foundation/files/index.ts'
import { createPool, log, processSettings, readNote, settings } from '@purlin/server/foundation/platform/index.ts'
import { collectProcessMetrics } from '@purlin/server/foundation/platform/metrics.ts'
import { loadJobs } from '@purlin/server/edges/worker/load-jobs.ts'
import { startWorker } from '@purlin/server/edges/worker/worker.ts'
import { startTracing } from '@purlin/server/foundation/platform/start-tracing.ts'
import { openSearchEngine } from '@purlin/search/engine.ts'
import { connectDemoBuyers, connectDemoSellers } from './demo.ts'
import { serveMetrics } from './process-metrics.ts'
import { searchLease } from './search-lease.ts'
import { whenReachable } from './when-reachable.ts'
import { exitOnUncaught, stopOnRequest, sendToParent, wakeEachOther } from './messages.ts'

exitOnUncaught((reason) => log.error({ reason: reason instanceof Error ? reason.stack : String(reason) }, 'uncaught error'))
collectProcessMetrics()
const stopTracing = await startTracing()
serveMetrics()
wakeEachOther()

const { databaseUrl = '', searchDir, files, connections, demoSpeed } = settings()
// No visitor waits for its statements, and what may hang has places of its own (decision 102).
const sizes = { ...connections, optional: 0 }
const pool = createPool({ connectionString: databaseUrl, sizes, name: 'purlin worker', planOnce: true })
const engine = await whenReachable(() =>
  openSearchEngine({
    directory: searchDir,
    mode: 'writer',
    lease: searchLease(pool),
    // Another worker writes the index now. This one restarts and waits for its turn.
    onLeaseLost: (error) => {
      log.error({ reason: error.message }, 'the lease of the search index was lost')
      process.exit(1)
    },
  }),
)
connectSearch(engine)
for (const market of await whenReachable(() => rebuildDamaged(pool.db)))
  log.warn({ market }, 'files of the search index were lost or damaged: it is rebuilt')
connectObjectStore(openObjectStore(files))
if (await whenReachable(() => readNote(pool.db, 'demo-shop'))) {
  connectDemoSellers(demoSpeed)
  connectDemoBuyers(demoSpeed)
}
const worker = startWorker({ pool, name: `${hostname()} ${processSettings().part}`, ...(await loadJobs()) })
sendToParent({ kind: 'ready' })

stopOnRequest(async () => {
  await worker.stop()
  await engine.close()
  await pool.end()
  await stopTracing()
})
