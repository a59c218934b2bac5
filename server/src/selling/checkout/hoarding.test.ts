import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { readOverdue } from '#orders'
import { endHold } from './jobs.ts'
import { reopenOrder } from './reopen-order.ts'
import { addOffer, draftOrder, fillShop, newBuyer, place, stockOf, type Buyer } from './testing.ts'

const database = await testDatabase()
await fillShop(database)
const attacker = '203.0.113.66'

/** Moves everything about holds into the past, as a minute would, and ends what has run out. */
async function passMinute(): Promise<void> {
  await database.pool.query(
    `update orders.customer_order set placed_at = placed_at - interval '1 minute', holds_until = holds_until - interval '1 minute'`,
  )
  await database.pool.query(`update orders.ended_hold set until = until - interval '1 minute'`)
  for (const id of await readOverdue(database.db, 100)) await database.command({}, (scope) => endHold(scope, id))
}

const drafted = async (buyer: Buyer, offerId: string) => ({ buyer, orderId: await draftOrder(buyer, [{ offerId, quantity: 1 }]) })
const at = (address: string) => newBuyer(database, { remoteAddress: address })

test('V-11 fifty sessions at one address keep ten pieces from ten honest buyers for less than five minutes', async () => {
  await addOffer(database, { id: '701', stock: 10 })
  const hoard = await Promise.all(Array.from({ length: 50 }, () => drafted(at(attacker), '701')))
  const honest = await Promise.all(Array.from({ length: 10 }, (_, n) => drafted(at(`198.51.100.${n + 1}`), '701')))
  const waiting = new Set(honest)
  let minutes = 0
  for (; waiting.size > 0 && minutes < 12; minutes++) {
    // The attacker is always faster.
    for (const { buyer, orderId } of hoard) await place(buyer, orderId)
    for (const each of waiting) if ((await place(each.buyer, each.orderId)).ok) waiting.delete(each)
    if (minutes === 0) assert.equal(waiting.size, 10, 'everything is held at first')
    await passMinute()
  }
  assert.equal(waiting.size, 0)
  assert.ok(minutes <= 6, `the last honest buyer came through in minute ${minutes - 1}`)
  assert.equal(await stockOf(database, '701'), 0)
})

test('V-11 reopening and placing again does not renew a hold that others wait for', async () => {
  await addOffer(database, { id: '702', stock: 1 })
  const hoarder = await drafted(at('203.0.113.67'), '702')
  const honest = await drafted(at('198.51.100.30'), '702')
  const soldAt: number[] = []
  for (let minute = 0; minute < 12 && soldAt.length === 0; minute++) {
    if (minute > 0) await hoarder.buyer.does((scope) => reopenOrder(scope, hoarder.orderId))
    await place(hoarder.buyer, hoarder.orderId)
    if ((await place(honest.buyer, honest.orderId)).ok) soldAt.push(minute)
    await passMinute()
  }
  assert.ok(soldAt[0] !== undefined && soldAt[0] <= 5, `minute ${soldAt[0]}`)
})

test('V-11 a hold nobody else wants lasts half an hour, and a buyer whose hold ran out may buy something else', async () => {
  await addOffer(database, { id: '703', stock: 1 })
  await addOffer(database, { id: '704', stock: 1 })
  const calm = await drafted(at('198.51.100.40'), '703')
  assert.equal((await place(calm.buyer, calm.orderId)).ok, true)
  for (let minute = 0; minute < 29; minute++) await passMinute()
  assert.equal(await stockOf(database, '703'), 0)
  const barred = await drafted(at('203.0.113.67'), '704')
  assert.equal((await place(barred.buyer, barred.orderId)).ok, true)
})
