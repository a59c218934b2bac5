/**
 * The process that executes GraphQL documents of strangers, for the web processes alone: visitors come first. The system runs it
 * when they leave the processor free, and it has few database connections.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { secretHeader } from '@purlin/server/edges/gateway/index.ts'
import { log, processSettings, settings } from '@purlin/server/foundation/platform/index.ts'
import { fewConnections } from '@purlin/server/foundation/platform/pool-sizes.ts'
import { collectProcessMetrics } from '@purlin/server/foundation/platform/metrics.ts'
import { startTracing } from '@purlin/server/foundation/platform/start-tracing.ts'
import { openShop } from './open-shop.ts'
import { gatherMetrics, serveMetrics } from './process-metrics.ts'
import { listenShared } from './shared-port.ts'
import { exitOnUncaught, stopOnRequest, sendToParent, wakeEachOther } from './messages.ts'
import { warmUpDocuments } from './warm-up.ts'
import { yieldProcessor } from './yield-processor.ts'

exitOnUncaught((reason) => log.error({ reason: reason instanceof Error ? reason.stack : String(reason) }, 'uncaught error'))
collectProcessMetrics()
const stopTracing = await startTracing()
serveMetrics()
wakeEachOther()

const { drainMs, connections, hosts } = settings()
const { inherited, documents } = processSettings()
// The web processes alone reach it, and name the client that they ask for.
const shop = await openShop({
  name: 'purlin documents',
  connections: fewConnections(connections),
  trustProxy: '127.0.0.1',
  metrics: gatherMetrics,
})
const { gateway } = shop
gateway.mount((req, res) => {
  if (documents && req.headers[secretHeader] === documents.secret) return false
  res.writeHead(404).end()
  return true
})

await warmUpDocuments(gateway.server, hosts.sites, { [secretHeader]: documents?.secret ?? '' })

// It starts at the usual priority: on a busy machine it would not come up for minutes.
const ready = () => {
  yieldProcessor()
  sendToParent({ kind: 'ready' })
}
const stopAccepting = listenShared(gateway.server, { port: 0, inherited, ready })

const stopMs = 10_000
stopOnRequest(
  async () => {
    await sleep(drainMs)
    gateway.announceStop()
    await shop.close(stopAccepting)
    await stopTracing()
  },
  { patienceMs: stopMs + drainMs, whenReplaced: true },
)
