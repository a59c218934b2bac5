import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { countStatements } from '../../foundation/platform/test-statements.ts'
import { addStaff, signIn } from '../../people/accounts/testing.ts'
import { fillShop } from '../../selling/checkout/testing.ts'
import { handlers } from '../fulfilment/jobs.ts'
import { paidOrder } from '../fulfilment/testing.ts'
import { addKey, caller } from './testing.ts'

/** What a page of a seller's orders costs the database. `npm run bench -- lists` counts the same with a million orders. */

const database = await testDatabase()
await fillShop(database)
const gateway = await testGateway(database.pool)
const byKey = caller(gateway.url, (await addKey(database.db, 1)).key)
const { id: staffId } = await addStaff(database.db, { sellerId: 1, roles: [{ role: 'seller', market: null }] })
const cookie = `__Host-purlin-staff=${(await signIn(database.db, { staffId, family: 'staff' })).token}`

const lists: Record<string, () => Promise<unknown[]>> = {
  'a program': async () => (await byKey('GET', '/orders')).body['orders'] as unknown[],
  'a program, of its work': async () => (await byKey('GET', '/due-orders/accept')).body['work'] as unknown[],
  'a member of staff, of their work': async () => {
    const { body } = await gateway.post('{ salesDue(kind: accept) { items { sellerOrderId dueAt } next } }', {}, { cookie })
    return (body as { data: { salesDue: { items: unknown[] } } }).data.salesDue.items
  },
}

const sell = async (count: number) => {
  for (let n = 0; n < count; n++)
    await paidOrder(database, [
      [1, 2],
      [2, 1],
    ])
  await runWork(database, handlers, [])
}

/** The least of several readings: the first one notes that the key was used, and the gateway reads its settings in between. */
async function cost(list: () => Promise<unknown[]>, rows: number): Promise<number> {
  const counts: number[] = []
  for (let at = 0; at < 4; at++) {
    const { value, statements } = await countStatements(list)
    assert.equal(value.length, rows)
    counts.push(statements)
  }
  return Math.min(...counts)
}

test('a page of a seller’s orders takes at most three statements, however many orders it shows', async () => {
  await sell(1)
  const ofOne = new Map<string, number>()
  for (const [who, list] of Object.entries(lists)) ofOne.set(who, await cost(list, 1))
  await sell(6)
  for (const [who, list] of Object.entries(lists)) {
    const statements = await cost(list, 7)
    assert.ok(statements > 0 && statements <= 3, `${who}: ${statements}`)
    assert.equal(statements, ofOne.get(who), who)
  }
})
