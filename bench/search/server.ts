import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openSearchEngine } from '../../search/src/index.ts'
import { createWire } from '../../search/src/wire/index.ts'
import { documents, readCatalogue, settingsOf } from './catalogue.ts'
import { indexName } from './questions.ts'

/** A server with only the engine, in a process of its own; controlled over its channel. */
export type Order = { do: 'build'; path: string } | { do: 'memory' } | { do: 'update'; perSecond: number; among: number } | { do: 'stop' }
export type Report =
  | { port: number; openMs: number; entries: number }
  | { builtMs: number }
  | { rssMb: number; sharedMb: number }
  | { updates: number; ms: number }

const [directory, threads] = process.argv.slice(2)
const started = performance.now()
const engine = await openSearchEngine({ directory: directory!, threads: Number(threads), limits: { documentMemory: 128_000_000 } })
const openMs = performance.now() - started
const wire = createWire({ engine, keys: [{ key: 'bench', rights: ['search'] }] })
const server = createServer((request, response) => void wire(request, response))
server.listen(0, '127.0.0.1', async () => {
  const entries = (await engine.listIndexes()).reduce((sum, index) => sum + index.entries, 0)
  report({ port: (server.address() as AddressInfo).port, openMs, entries })
})

let updating: { timer: NodeJS.Timeout; from: number; written: Promise<number>[] } | null = null
const tickMs = 20

function report(message: Report): void {
  process.send!(message)
}

process.on('message', async (order: Order) => {
  if (order.do === 'build') {
    const from = performance.now()
    await engine.replaceAll(indexName, readCatalogue(order.path), await settingsOf())
    report({ builtMs: performance.now() - from })
  } else if (order.do === 'memory') {
    const { rss, arrayBuffers } = process.memoryUsage()
    report({ rssMb: rss / 1e6, sharedMb: arrayBuffers / 1e6 })
  } else if (order.do === 'update') {
    let next = 0
    // Generated beforehand: only the engine is measured.
    const changing = await Array.fromAsync(documents(Math.min(5000, order.among)))
    const from = performance.now()
    const written: Promise<number>[] = []
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - from) / 1000) * order.perSecond) - next
      const batch = Array.from({ length: Math.min(due, 500) }, () => ({
        ...changing[next++ % changing.length]!,
        price_b2c: (next % 500) + 0.5,
      }))
      if (batch.length > 0) written.push(engine.upsert(indexName, batch).then(() => batch.length))
    }, tickMs)
    updating = { timer, from, written }
  } else {
    clearInterval(updating?.timer)
    // Counts all requested updates, and the time until the last one was durable.
    const counts = await Promise.all(updating?.written ?? [])
    const updates = counts.reduce((sum, count) => sum + count, 0)
    report({ updates, ms: performance.now() - (updating?.from ?? 0) })
    server.closeAllConnections()
    server.close()
    await engine.close()
    process.disconnect?.()
  }
})
