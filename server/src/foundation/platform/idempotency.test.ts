import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { withIdempotency } from '#platform'
import { testDatabase } from '#platform/testing'

const database = await testDatabase({ upTo: 'markets' })
await database.pool.query('create table public.made (id int generated always as identity primary key, key text)')
const make = { name: 'test.make', text: 'insert into public.made (key) values ($1) returning id' }

const place = (key: string, body: unknown, owner = 'o') =>
  database.command({}, (scope) =>
    withIdempotency(scope, { owner, key, body }, async () => {
      const row = await scope.db.row<{ id: number }>(make, [key])
      await sleep(20)
      return { ok: true as const, id: row?.id }
    }),
  )

test('I3 the same key sent twenty times at once places one order, and each request gets its outcome', async () => {
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => place('key-twenty', { cart: 1 })))
  for (const outcome of outcomes) assert.deepEqual(outcome, outcomes[0])
  assert.equal((await database.pool.query(`select 1 from public.made where key = 'key-twenty'`)).rowCount, 1)
})

test('A30 the same key with another body is refused', async () => {
  await place('key-other-body', { cart: 1 })
  assert.deepEqual(await place('key-other-body', { cart: 2 }), { ok: false, reason: 'idempotency-key-reused' })
})

test('A30 another principal’s identical key is a different key', async () => {
  const [mine, theirs] = [await place('key-two-owners', 1, 'me'), await place('key-two-owners', 1, 'them')]
  assert.notDeepEqual(mine, theirs)
})

test('a refused command releases its key', async () => {
  const refused = await database.command({}, (scope) =>
    withIdempotency(scope, { owner: 'o', key: 'key-refused', body: 1 }, async () => ({
      ok: false as const,
      reason: 'cart-empty' as const,
    })),
  )
  assert.deepEqual(refused, { ok: false, reason: 'cart-empty' })
  assert.equal((await place('key-refused', 1)).ok, true)
})

test('an invalid key is refused before any query', async () => {
  for (const key of ['', 'short', 'a'.repeat(129), 'with space!']) {
    assert.deepEqual(await place(key, 1), { ok: false, reason: 'idempotency-key-missing' })
  }
})
