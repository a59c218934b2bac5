import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { waitingBudgetMs, waitingQueues, type Leave, type RequestKind } from './waiting-queues.ts'

/** Occupies the event loop without computing. */
async function block(ms: number): Promise<void> {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  await sleep(0)
}

test('V-12 when it is crowded, checkout comes before cart, product, listing and suggestions, whoever came first', async () => {
  const queues = waitingQueues({ atOnce: 1 })
  const first = await queues.enter('listing')
  const order: RequestKind[] = []
  const run = async (kind: RequestKind) => {
    const leave = await queues.enter(kind)
    order.push(kind)
    leave?.()
  }
  const all = (['suggestions', 'listing', 'product', 'cart', 'checkout'] as const).map(run)
  first?.()
  await Promise.all(all)
  assert.deepEqual(order, ['checkout', 'cart', 'product', 'listing', 'suggestions'])
})

test('V-12 what would wait longer than its budget is refused at once, while the checkout still gets its turn', async () => {
  let clock = 0
  const queues = waitingQueues({ atOnce: 2, now: () => clock })
  const turns: (Leave | null)[] = [await queues.enter('product'), await queues.enter('product')]
  // Turns end every 400 ms: a listing may have three before it, a checkout a dozen.
  for (let n = 0; n < 60; n++) {
    const next = queues.enter('checkout')
    clock += 400
    turns.shift()?.()
    turns.push(await next)
  }
  const waiting: Promise<Leave | null>[] = []
  for (let n = 0; n < 10; n++) waiting.push(queues.enter('listing'))
  const refused = queues.stats().refused.listing
  assert.ok(refused >= 6 && refused <= 8, `${refused} of ten`)
  const buyer = queues.enter('checkout')
  turns.shift()?.()
  assert.ok(await buyer)
  assert.equal(queues.stats().refused.checkout, 0)
})

test('V-12 a request that has waited for its budget is refused, and its place is free', async () => {
  const queues = waitingQueues({ atOnce: 1 })
  const leave = await queues.enter('checkout')
  const startedAt = performance.now()
  assert.equal(await queues.enter('suggestions'), null)
  assert.ok(performance.now() - startedAt >= waitingBudgetMs.suggestions - 20)
  leave?.()
  leave?.()
  assert.equal(queues.stats().underWay, 0)
  assert.ok(await queues.enter('suggestions'))
})

test('V-12 neither the delays before the first request nor a single long pause refuse anything', async () => {
  const queues = waitingQueues({ atOnce: 10 })
  for (let n = 0; n < 4; n++) await block(1000)
  assert.ok(await queues.enter('suggestions'))
  await block(4000)
  assert.ok(await queues.enter('suggestions'))
  assert.deepEqual(Object.values(queues.stats().refused), [0, 0, 0, 0, 0])
  queues.stop()
})

test('V-12 F18 a busy event loop refuses suggestions first, and recovers', async () => {
  const queues = waitingQueues({ atOnce: 10 })
  await queues.enter('checkout')
  for (let n = 0; n < 4; n++) {
    await block(1500)
  }
  assert.equal(await queues.enter('suggestions'), null)
  assert.ok(await queues.enter('checkout'))
  await sleep(1500)
  assert.ok(await queues.enter('suggestions'))
  queues.stop()
})

test('V-12 a request whose sender has gone takes no turn, and others move up', async () => {
  const queues = waitingQueues({ atOnce: 1 })
  const leave = await queues.enter('listing')
  const response = new EventEmitter()
  const gone = queues.enter('listing', response)
  const next = queues.enter('listing')
  response.emit('close')
  assert.equal(await gone, null)
  assert.deepEqual([queues.stats().waiting, queues.stats().refused.listing], [1, 0])
  leave?.()
  assert.ok(await next)
  assert.equal(response.listenerCount('close'), 0)
})

test('V-12 turns that end in bursts count with the pauses between them', async () => {
  let clock = 0
  const queues = waitingQueues({ atOnce: 8, now: () => clock })
  let turns = await Promise.all(Array.from({ length: 8 }, () => queues.enter('checkout')))
  // Eight end together, every 400 ms: twenty a second.
  for (let burst = 0; burst < 20; burst++) {
    const next = turns.map(() => queues.enter('checkout'))
    clock += 400
    for (const leave of turns) leave?.()
    turns = await Promise.all(next)
  }
  for (let n = 0; n < 100; n++) void queues.enter('listing')
  const { waiting, refused } = queues.stats()
  assert.ok(waiting >= 25 && waiting <= 35, `${waiting} wait, which takes 1.5 s at most`)
  assert.equal(waiting + refused.listing, 100)
})

test('V-12 a single pause of the database refuses nobody who would be answered right after it', async () => {
  let clock = 0
  const queues = waitingQueues({ atOnce: 8, now: () => clock })
  let turns = await Promise.all(Array.from({ length: 8 }, () => queues.enter('checkout')))
  for (let burst = 0; burst < 20; burst++) {
    const next = turns.map(() => queues.enter('checkout'))
    // Forty milliseconds for eight turns, but for the last.
    clock += burst === 19 ? 2000 : 40
    for (const leave of turns) leave?.()
    turns = await Promise.all(next)
  }
  for (let n = 0; n < 50; n++) void queues.enter('listing')
  assert.deepEqual(queues.stats().refused.listing, 0)
})

test('V-12 while the event loop is busy, eight requests work at once instead of 32', async (t) => {
  // Another pause of a busy machine, or its end, would change the limit in between.
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] })
  let clock = 0
  const queues = waitingQueues({ now: () => clock })
  await queues.enter('product')
  clock += 400
  t.mock.timers.tick(100)
  for (let n = 0; n < 20; n++) void queues.enter('product')
  assert.deepEqual([queues.stats().underWay, queues.stats().waiting], [8, 13])
  queues.stop()
})
