/** The embedded stand-ins for the outside world: the payment provider and whatever else the demo needs. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { log, settings } from '@purlin/server/foundation/platform/index.ts'
import { collectProcessMetrics } from '@purlin/server/foundation/platform/metrics.ts'
import { giveFigures } from './figures.ts'
import { exitOnUncaught, stopWhenAsked, tellParent } from './messages.ts'

exitOnUncaught((reason) => log.error({ reason: reason instanceof Error ? reason.stack : String(reason) }, 'uncaught error'))
collectProcessMetrics()
giveFigures()

const { port, dataDir, payments } = settings()
const file = join(import.meta.dirname, '../services/src/index.ts')
const { startServices } = existsSync(file)
  ? ((await import(file)) as {
      startServices: (options: { port: number; dataDir: string; payments: typeof payments }) => Promise<{ close(): Promise<void> }>
    })
  : { startServices: async () => ({ close: async () => undefined }) }
const services = await startServices({ port, dataDir, payments })
tellParent({ kind: 'ready' })
stopWhenAsked(() => services.close())
