import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { asCommand, connectWaking, on, onWake, type WakeUp, eventValues, storeEvents } from '#platform'
import { testDatabase } from '#platform/testing'
import { startWorker, workOnce } from './worker.ts'

const database = await testDatabase({ upTo: 'markets' })
const { pool } = database
await pool.query('create table public.effect (id int generated always as identity, what text not null, tx bigint default txid_current())')

beforeEach(() => pool.query('truncate public.effect, platform.outbox, platform.handled'))

const effect = { name: 'test.effect', text: 'insert into public.effect (what) values ($1)' }
const effects = async () => (await pool.query('select what, tx from public.effect order by id')).rows as { what: string; tx: string }[]
const paid = (customerOrderId: string) =>
  asCommand(pool, async ({ emit }) => emit('order.paid', { customerOrderId, market: 'gb', sellerOrderIds: [] }))
const note = on('order.paid', 'test.note', {
  commit: async ({ db }, { customerOrderId }) => {
    if (customerOrderId === 'poison') throw new Error('poison')
    await db.run(effect, [customerOrderId])
  },
})
const signal = new AbortController().signal

async function until(count: number, maxMs: number): Promise<number> {
  const began = performance.now()
  while ((await effects()).length < count && performance.now() - began < maxMs) await sleep(2)
  return performance.now() - began
}

test('V-102 a commit wakes the worker, and the worker’s commits wake requests waiting for the order', async (context) => {
  const told: WakeUp[] = []
  context.after(connectWaking((wakeUp) => told.push(wakeUp)))
  const worker = startWorker({ pool, handlers: [note], jobs: [], schedules: [] })
  context.after(() => worker.stop())
  await sleep(300)
  const delays: number[] = []
  for (let n = 1; n <= 9; n++) {
    await paid(`order-${n}`)
    delays.push(await until(n, 5000))
    // So that the next one falls anywhere between two polls.
    await sleep(n * 7)
  }
  // A worker polling every 200 ms would take 100 ms on average.
  assert.ok((delays.toSorted((a, b) => a - b)[4] ?? 0) < 60, delays.map(Math.round).join(' '))
  await sleep(20)
  assert.ok(told.some((each) => each.topic === 'work'))
  assert.ok(told.some((each) => each.topic === 'order' && each.id === 'order-9'))
})

test('V-102 a lost wake-up costs no more than the time until the next poll', async (context) => {
  context.after(connectWaking(() => undefined))
  const worker = startWorker({ pool, handlers: [note], jobs: [], schedules: [] })
  context.after(() => worker.stop())
  await sleep(300)
  // Another process, whose notification never arrives.
  await pool.query(`insert into platform.outbox (id, type, aggregate, payload)
    values (gen_random_uuid(), 'order.paid', 'silent', '{"customerOrderId": "silent", "market": "gb"}')`)
  assert.ok((await until(1, 5000)) < 3000)
})

test('V-102 many commits at once send one notification', async (context) => {
  let told = 0
  context.after(onWake(({ topic }) => void (told += Number(topic === 'work'))))
  await Promise.all(Array.from({ length: 20 }, (_, n) => paid(`many-${n}`)))
  await sleep(20)
  assert.ok(told >= 1 && told <= 20, `${told}`)
})

test('V-102 an event stored by the statement that causes it wakes the worker as well', async (context) => {
  let told = 0
  context.after(onWake(({ topic }) => void (told += Number(topic === 'work'))))
  const write = { name: 'test.store-event', text: storeEvents(1), emits: true as const }
  const values = eventValues('order.paid', { customerOrderId: 'stored', market: 'gb' })
  await asCommand(pool, async ({ db }) => void (await db.run(write, values)))
  await sleep(20)
  assert.equal(told, 1)
})

test('V-103 events that are ready together are handled in one transaction, each once', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, n) => paid(`order-${n}`)))
  await workOnce(pool, { handlers: [note], jobs: [] }, 'test', signal)
  const seen = await effects()
  assert.equal(new Set(seen.map(({ what }) => what)).size, 20)
  assert.equal(seen.length, 20)
  assert.ok(new Set(seen.map(({ tx }) => tx)).size <= 4, 'at most ten in a transaction, so hardly more than two')
})

test('V-103 a failing event does not keep the others of its group from taking effect', async () => {
  await Promise.all(['a', 'b', 'poison', 'c', 'd'].map(paid))
  await workOnce(pool, { handlers: [note], jobs: [] }, 'test', signal)
  assert.deepEqual((await effects()).map(({ what }) => what).toSorted(), ['a', 'b', 'c', 'd'])
  const { rows } = await pool.query('select last_error from platform.outbox where done_at is null')
  assert.deepEqual(rows, [{ last_error: 'poison' }])
})

test('V-103 work written during a claim is claimed in one batch', async (context) => {
  context.after(connectWaking(() => undefined))
  let claims = 0
  const db: typeof pool.db = {
    ...pool.db,
    rows: (statement, values) => {
      if (statement.name === 'worker.claim') claims++
      return pool.db.rows(statement, values)
    },
  }
  const counting = Object.create(pool, { db: { value: db } }) as typeof pool
  const worker = startWorker({ pool: counting, handlers: [note], jobs: [], schedules: [] })
  context.after(() => worker.stop())
  await sleep(300)
  claims = 0
  const began = performance.now()
  for (let n = 1; n <= 60; n++) await Promise.all([paid(`order-${n}`), sleep(3)])
  await until(60, 5000)
  const most = (performance.now() - began) / 15 + 3
  assert.equal((await effects()).length, 60)
  assert.ok(claims < most, `${claims} claims, at most ${most}`)
})
