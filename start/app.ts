/** A process that serves pages and the gateway; with `PURLIN_PAGES=no` only the gateway. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { variationsFor } from '@purlin/server/selling/experiments/index.ts'
import { log, processSettings, settings } from '@purlin/server/foundation/platform/index.ts'
import { collectProcessMetrics, metrics } from '@purlin/server/foundation/platform/metrics.ts'
import { nameRoute } from '@purlin/server/foundation/platform/request-metrics.ts'
import { startTracing } from '@purlin/server/foundation/platform/start-tracing.ts'
import { namePageSpan } from '@purlin/server/foundation/platform/tracing.ts'
import { defaultDist, createStorefront } from '@purlin/storefront/server/index.ts'
import { openShop } from './open-shop.ts'
import { gatherMetrics, serveMetrics } from './process-metrics.ts'
import { warmUp } from './warm-up.ts'
import { listenShared } from './shared-port.ts'
import { exitOnUncaught, stopOnRequest, sendToParent, wakeEachOther } from './messages.ts'

exitOnUncaught((reason) => log.error({ reason: reason instanceof Error ? reason.stack : String(reason) }, 'uncaught error'))
collectProcessMetrics()
const stopTracing = await startTracing()
serveMetrics()
wakeEachOther()

const { port, hosts, trustProxy, payments, identity, requestTimeoutMs, drainMs, connections, pageCacheBytes } = settings()
const { inherited, documents, withPages: asked } = processSettings()
const shop = await openShop({ name: 'purlin app', connections, trustProxy, metrics: gatherMetrics, documents })
const { gateway } = shop
const withPages = asked && existsSync(join(defaultDist, 'server'))
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
if (storefront) {
  metrics.pageCacheMaxBytes.set(pageCacheBytes)
  setInterval(() => metrics.pageCacheBytes.set(storefront.cache.stats().bytes), 1000).unref()
  // Requests from machines have no page; everything else goes to the storefront.
  gateway.mount((req, res) => !req.url?.startsWith('/webhooks/') && storefront.tryHandle(req, res))
  shop.onPurge((tags) => storefront.purge(tags))
}
if (withPages) await warmUp(gateway.server, hosts.sites)

const stopAccepting = listenShared(gateway.server, {
  port,
  inherited,
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
    await shop.close(stopAccepting)
    await stopTracing()
  },
  { patienceMs: stopMs + drainMs, whenReplaced: true },
)
