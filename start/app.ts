/** A process that serves pages and the gateway; with `PURLIN_PAGES=no` only the gateway. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { contentTag, forgetContent } from '@purlin/server/goods/content/index.ts'
import { forgetHeader, headerTag } from '@purlin/server/goods/header/index.ts'
import { connectRecommendations, connectSearch, forgetTagged, watchSearches } from '@purlin/server/goods/listing/index.ts'
import { flushSearches, noteSearch } from '@purlin/server/goods/merchandising/index.ts'
import { createGateway } from '@purlin/server/edges/gateway/index.ts'
import { forgetSwitches, switchesTag } from '@purlin/server/foundation/flags/index.ts'
import { loadCouponWorth } from '@purlin/server/selling/cart/index.ts'
import { experimentsTag, loadExperiments, reloadExperiments, variationsFor } from '@purlin/server/selling/experiments/index.ts'
import {
  forgetRecommendations,
  loadRecommendations,
  recommendationService,
  recommendationsTag,
} from '@purlin/server/selling/recommendations/index.ts'
import { connectObjectStore, openObjectStore } from '@purlin/server/foundation/files/index.ts'
import { createPool, log, processSettings, readNote, settings, watchPurges } from '@purlin/server/foundation/platform/index.ts'
import { collectProcessMetrics, metrics } from '@purlin/server/foundation/platform/metrics.ts'
import { nameRoute } from '@purlin/server/foundation/platform/request-metrics.ts'
import { startTracing } from '@purlin/server/foundation/platform/start-tracing.ts'
import { namePageSpan } from '@purlin/server/foundation/platform/tracing.ts'
import { openSearchEngine } from '@purlin/search/engine.ts'
import { defaultDist, createStorefront } from '@purlin/storefront/server/index.ts'
import { connectDemoDocuments, connectDemoPictures } from './demo.ts'
import { gatherMetrics, serveMetrics } from './process-metrics.ts'
import { warmUp } from './warm-up.ts'
import { whenReachable } from './when-reachable.ts'
import { listenShared } from './shared-port.ts'
import { exitOnUncaught, stopOnRequest, sendToParent, wakeEachOther } from './messages.ts'

exitOnUncaught((reason) => log.error({ reason: reason instanceof Error ? reason.stack : String(reason) }, 'uncaught error'))
collectProcessMetrics()
const stopTracing = await startTracing()
serveMetrics()
wakeEachOther()

const {
  port,
  hosts,
  databaseUrl = '',
  searchDir,
  trustProxy,
  files,
  payments,
  identity,
  requestTimeoutMs,
  drainMs,
  connections,
  pageCacheBytes,
} = settings()
const pool = createPool({ connectionString: databaseUrl, sizes: connections, name: 'purlin app', planOnce: true })
// Stored documents stay in their files, which the system caches once for all processes.
const engine = await openSearchEngine({ directory: searchDir, mode: 'reader', limits: { documentMemory: 0 } })
connectSearch(engine)
connectObjectStore(openObjectStore(files))
// A shop without demo data shows pictures from the object store and draws nothing.
if (await whenReachable(() => readNote(pool.db, 'demo-shop'))) {
  connectDemoPictures()
  connectDemoDocuments()
}
const counting = setInterval(
  () => void flushSearches(pool.db).catch((error: unknown) => log.warn({ err: error }, 'searches were not counted')),
  5_000,
)

await whenReachable(() => loadExperiments(pool.db))
connectRecommendations(recommendationService(pool.db))
await whenReachable(() => loadRecommendations(pool.db))

await whenReachable(() => loadCouponWorth(pool.db))
const couponWorth = setInterval(
  () => void loadCouponWorth(pool.db).catch((error: unknown) => log.warn({ err: error }, 'coupons were not read again')),
  60_000,
)

const gateway = await createGateway({ pool, hosts, trustProxy, metrics: gatherMetrics })
const withPages = processSettings().withPages && existsSync(join(defaultDist, 'server'))
const storefront = withPages
  ? await createStorefront({
      gateway,
      hosts,
      sessions: { load: gateway.findPrincipal },
      variations: variationsFor,
      log,
      cacheBytes: pageCacheBytes,
      nameRoute: (response, route) => {
        nameRoute(response, 'page', route)
        namePageSpan(route)
      },
      settings: { paymentOrigin: payments.origin, identityOrigin: new URL(identity.url).origin, requestTimeoutMs },
    })
  : undefined
// Requests from machines have no page; everything else goes to the storefront.
if (storefront) gateway.mount((req, res) => !req.url?.startsWith('/webhooks/') && storefront.tryHandle(req, res))
const stopWatching = watchPurges(pool, (tags) => {
  forgetTagged(tags)
  if (!tags || tags.includes(contentTag)) forgetContent()
  if (!tags || tags.includes(switchesTag)) forgetSwitches()
  if (!tags || tags.includes(headerTag)) forgetHeader()
  if (!tags || tags.includes(recommendationsTag)) forgetRecommendations()
  if (!tags || tags.includes(experimentsTag)) reloadExperiments(pool.db)
  storefront?.purge(tags)
})

// Reference data for listings is loaded before the first visitor, so that listings survive a database that stalls later.
const warming = '{ listing(input: { kind: search, query: "" }) { total } categoryTree { id } }'
await Promise.all(hosts.sites.map(({ host }) => gateway.execute({ query: warming, headers: { host } })))
if (withPages) await warmUp(gateway.server, hosts.sites)
watchSearches(noteSearch)

const stopAccepting = listenShared(gateway.server, {
  port,
  inherited: processSettings().inherited,
  ready: () => {
    metrics.ready.set(1)
    sendToParent({ kind: 'ready' })
  },
})

const stopMs = 10_000
stopOnRequest(
  async () => {
    // Behind a load balancer nobody is sent here any more once it has seen this; until then everybody is answered as before.
    gateway.announceStop()
    await sleep(drainMs)
    stopWatching()
    clearInterval(counting)
    clearInterval(couponWorth)
    await stopAccepting()
    await gateway.close()
    await engine.close()
    await pool.end()
    await stopTracing()
  },
  { patienceMs: stopMs + drainMs, whenReplaced: true },
)
