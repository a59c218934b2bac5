/** A process of a shop that does nothing but respond with its metrics, for tests; BALLAST_MB of memory, BLOCKING_MS at a time. */
import { setInterval } from 'node:timers'
import { collectProcessMetrics } from '@purlin/server/foundation/platform/metrics.ts'
import { sendToParent } from './messages.ts'
import { serveMetrics } from './process-metrics.ts'

const { BALLAST_MB = '0', BLOCKING_MS = '0' } = process.env
collectProcessMetrics()
serveMetrics()
const ballast = Buffer.alloc(Number(BALLAST_MB) * 2 ** 20, 1)
setInterval(() => {
  for (const end = performance.now() + Number(BLOCKING_MS); performance.now() < end;) ballast.at(0)
}, 20)
process.on('disconnect', () => process.exit(0))
sendToParent({ kind: 'ready' })
