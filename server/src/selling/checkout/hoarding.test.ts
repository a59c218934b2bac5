import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { addToCart } from '#cart'
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
  await database.pool.query(`update orders.waitlist set at = at - interval '1 minute'`)
  for (const id of await readOverdue(database.db, 100)) await database.command({}, (scope) => endHold(scope, id))
}

const drafted = async (buyer: Buyer, offerId: string) => ({ buyer, orderId: await draftOrder(buyer, [{ offerId, quantity: 1 }]) })
const at = (address: string) => newBuyer(database, { remoteAddress: address })
const add = (buyer: Buyer, offerId: string) => buyer.does((scope) => addToCart(scope, { offerId, quantity: 1 }))

interface Hold {
  state: string
  isWanted: boolean
  seconds: number
}
async function holdOf({ orderId }: { orderId: string }): Promise<Hold | undefined> {
  const text = `select state, wanted_at is not null as "isWanted", extract(epoch from holds_until - placed_at)::integer as seconds
    from orders.customer_order where id = $1`
  return (await database.pool.query<Hold>(text, [orderId])).rows[0]
}

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
    if (minutes === 0) assert.equal(waiting.size, 5, 'the network gets half of it')
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

/** Honest buyers, who each minute add the offer to their basket and order it if they can. Returns the minutes in which they were served. */
async function arriveLate(offerId: string, hoard: () => Promise<void>): Promise<number[]> {
  const waiting = new Set(Array.from({ length: 10 }, (_, n) => at(`198.51.100.${n + 50}`)))
  const served: number[] = []
  for (let minute = 0; waiting.size > 0 && minute < 40; minute++) {
    await hoard()
    for (const buyer of waiting) {
      if (!(await add(buyer, offerId)).ok) continue
      const orderId = await draftOrder(buyer, [])
      if (!(await place(buyer, orderId)).ok) continue
      served.push(minute)
      waiting.delete(buyer)
    }
    await passMinute()
  }
  return served
}

test('V-11 ten buyers who come after everything is held are served within five minutes, whatever the patience of the hoard', async () => {
  await addOffer(database, { id: '711', stock: 10 })
  const drafts = await Promise.all(Array.from({ length: 50 }, () => drafted(at('203.0.113.82'), '711')))
  // Orders only while there is stock, so that none of its own requests is refused for lack of it.
  const served = await arriveLate('711', async () => {
    while ((await stockOf(database, '711')) > 0 && drafts.length > 0) {
      const { buyer, orderId } = drafts.shift()!
      await place(buyer, orderId)
    }
  })
  assert.equal(served.filter((minute) => minute === 0).length, 5, 'half of it is held at first')
  assert.equal(served.length, 10)
  assert.ok(Math.max(...served) <= 5, `served in minutes ${served.join()}`)
})

test('V-11 one order for everything keeps it from ten later buyers for less than five minutes, and cannot be renewed by reopening', async () => {
  await addOffer(database, { id: '712', stock: 10 })
  const sessions = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const buyer = at('203.0.113.68')
      return { buyer, orderId: await draftOrder(buyer, [{ offerId: '712', quantity: 10 }]) }
    }),
  )
  let holder: (typeof sessions)[number] | undefined
  const served = await arriveLate('712', async () => {
    // Another session takes over each minute, before the time of the one before is up.
    if (holder) await holder.buyer.does((scope) => reopenOrder(scope, holder!.orderId))
    holder = sessions.shift()
    if (holder) await place(holder.buyer, holder.orderId)
  })
  assert.equal(served.length, 10)
  assert.ok(Math.max(...served) <= 5, `served in minutes ${served.join()}`)
})

test('V-11 a hold taken over by another session of the network ends when the first would have ended', async () => {
  await addOffer(database, { id: '713', stock: 1 })
  const [first, second] = [await drafted(at('203.0.113.69'), '713'), await drafted(at('203.0.113.69'), '713')]
  await place(first.buyer, first.orderId)
  await add(at('198.51.100.70'), '713')
  await passMinute()
  await passMinute()
  await first.buyer.does((scope) => reopenOrder(scope, first.orderId))
  assert.equal((await place(second.buyer, second.orderId)).ok, true)
  const { isWanted, seconds } = (await holdOf(second))!
  assert.ok(isWanted && seconds > 140 && seconds <= 150, `${seconds} s left`)
})

test('V-11 the orders of one network hold a quarter of what is left together, and five pieces in any case', async () => {
  await addOffer(database, { id: '721', stock: 10 })
  await addOffer(database, { id: '722', stock: 100 })
  const orders = async (count: number, offerId: string, address: string) => {
    const outcomes = []
    for (let n = 0; n < count; n++) {
      const { buyer, orderId } = await drafted(at(address), offerId)
      outcomes.push(await place(buyer, orderId))
    }
    return outcomes
  }
  const scarce = await orders(7, '721', '203.0.113.71')
  assert.deepEqual(
    scarce.map(({ ok }) => ok),
    [true, true, true, true, true, false, false],
  )
  assert.deepEqual(scarce.at(-1), { ok: false, reason: 'too-many-attempts' })
  const plenty = await orders(25, '722', '203.0.113.72')
  assert.equal(plenty.filter(({ ok }) => ok).length, 20, 'the twenty-first would be more than a quarter of eighty')
  const other = await drafted(at('203.0.113.73'), '721')
  assert.equal((await place(other.buyer, other.orderId)).ok, true, 'another network')
})

test('V-11 a single order may take everything', async () => {
  await addOffer(database, { id: '723', stock: 10 })
  const buyer = at('203.0.113.74')
  const orderId = await draftOrder(buyer, [{ offerId: '723', quantity: 10 }])
  assert.equal((await place(buyer, orderId)).ok, true)
})

test('V-11 being refused one thing leaves the holds on everything else in the basket as they are', async () => {
  await addOffer(database, { id: '731', stock: 1 })
  await addOffer(database, { id: '732', stock: 100 })
  const bystander = await drafted(at('198.51.100.77'), '732')
  assert.equal((await place(bystander.buyer, bystander.orderId)).ok, true)
  const first = await drafted(at('203.0.113.75'), '731')
  const second = at('203.0.113.76')
  const both = await draftOrder(second, [
    { offerId: '731', quantity: 1 },
    { offerId: '732', quantity: 1 },
  ])
  assert.equal((await place(first.buyer, first.orderId)).ok, true)
  const refused = await place(second, both)
  assert.ok(!refused.ok && refused.reason === 'sold-out')
  assert.deepEqual(await holdOf(bystander), { state: 'awaiting-payment', isWanted: false, seconds: 1800 })
  assert.deepEqual(await holdOf(first), { state: 'awaiting-payment', isWanted: true, seconds: 270 })
  const again = await drafted(at('198.51.100.77'), '732')
  assert.equal((await place(again.buyer, again.orderId)).ok, true, 'nobody of that network is barred')
})

test('V-11 the network that holds most gives up its pieces first, and as many as are wanted', async () => {
  await addOffer(database, { id: '741', stock: 4 })
  const alone = await drafted(at('198.51.100.80'), '741')
  const crowd = [
    await drafted(at('203.0.113.77'), '741'),
    await drafted(at('203.0.113.77'), '741'),
    await drafted(at('203.0.113.77'), '741'),
  ]
  for (const { buyer, orderId } of [alone, ...crowd]) assert.equal((await place(buyer, orderId)).ok, true)
  const wanted = async () => (await Promise.all([alone, ...crowd].map(holdOf))).map((hold) => hold?.isWanted)
  for (const expected of [
    [false, true, false, false],
    [false, true, true, false],
    [false, true, true, true],
    [true, true, true, true],
  ]) {
    const buyer = at(`198.51.100.${81 + expected.filter(Boolean).length}`)
    // Refusing the same buyer again changes nothing.
    for (let n = 0; n < 2; n++) assert.deepEqual(await add(buyer, '741'), { ok: false, reason: 'in-other-baskets' })
    assert.deepEqual(await wanted(), expected)
  }
})

test('V-11 a network that holds some of an offer does not wait for more of it', async () => {
  await addOffer(database, { id: '745', stock: 2 })
  const [one, other] = [await drafted(at('203.0.113.81'), '745'), await drafted(at('198.51.100.95'), '745')]
  for (const { buyer, orderId } of [one, other]) assert.equal((await place(buyer, orderId)).ok, true)
  assert.deepEqual(await add(at('203.0.113.81'), '745'), { ok: false, reason: 'in-other-baskets' })
  assert.equal((await holdOf(other))?.isWanted, false)
})

test('V-11 the holder itself, its network, and an offer that is in stock or paid for put nobody under pressure', async () => {
  await addOffer(database, { id: '751', stock: 2 })
  const holder = await drafted(at('198.51.100.90'), '751')
  assert.equal((await place(holder.buyer, holder.orderId)).ok, true)
  const tooMany = await at('203.0.113.78').does((scope) => addToCart(scope, { offerId: '751', quantity: 2 }))
  assert.deepEqual(tooMany, { ok: false, reason: 'out-of-stock', details: { available: 1 } })
  const last = await drafted(at('198.51.100.91'), '751')
  assert.equal((await place(last.buyer, last.orderId)).ok, true)
  await database.pool.query(`update orders.customer_order set state = 'paid' where id = $1`, [last.orderId])
  assert.deepEqual(await add(at('198.51.100.90'), '751'), { ok: false, reason: 'out-of-stock', details: { available: 0 } })
  assert.equal((await holdOf(holder))?.isWanted, false)
  await database.pool.query(`update orders.customer_order set state = 'paid' where id = $1`, [holder.orderId])
  assert.deepEqual(await add(at('203.0.113.79'), '751'), { ok: false, reason: 'out-of-stock', details: { available: 0 } })
  const { rowCount } = await database.pool.query('select from orders.waitlist where offer_id = 751')
  assert.equal(rowCount, 0)
})

test('V-11 one network can wait for ten offers within an hour, and shortens no other holds', async () => {
  const holds = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      await addOffer(database, { id: String(760 + n), stock: 1 })
      const hold = await drafted(at(`198.51.101.${n}`), String(760 + n))
      assert.equal((await place(hold.buyer, hold.orderId)).ok, true)
      return hold
    }),
  )
  for (let n = 0; n < 12; n++) assert.equal((await add(at('203.0.113.80'), String(760 + n))).ok, false)
  const wanted = (await Promise.all(holds.map(holdOf))).filter((hold) => hold?.isWanted)
  assert.equal(wanted.length, 10)
  for (let minute = 0; minute < 61; minute++) await passMinute()
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
