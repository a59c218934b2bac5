import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { startWorker } from '../../edges/worker/worker.ts'
import { jobs } from './jobs.ts'
import { enqueueDelivery } from './send-webhooks.ts'
import { insertDelivery, insertEndpoint, readDelivery } from './webhook-store.ts'

const database = await testDatabase()
/** A seller's program that never answers. */
const program = createServer((request) => request.resume())
await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
after(() => {
  program.closeAllConnections()
  program.close()
})
const url = `http://127.0.0.1:${(program.address() as AddressInfo).port}/`

test('a message under way when the worker stops keeps its attempt, and the next worker sends it at once', async () => {
  const [endpointId, id] = [newId(), newId()]
  await insertEndpoint(database.db, { id: endpointId, sellerId: 1, url, events: ['order.paid'], createdAt: new Date() }, 10)
  await database.command({}, async (scope) => {
    await insertDelivery(scope.db, { id, endpointId, event: 'order.paid', body: '{}', createdAt: scope.now })
    await enqueueDelivery(scope, id, scope.now)
  })
  for (const name of ['the first', 'the next']) {
    const called = once(program, 'request')
    const worker = startWorker({ pool: database.pool, name, handlers: [], jobs, schedules: [] })
    await called
    await worker.stop()
    const delivery = await readDelivery(database.db, id)
    assert.deepEqual([delivery?.state, delivery?.attempts], ['waiting', 0])
  }
})
