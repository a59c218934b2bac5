import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { applyProviderState } from '../payments/apply-provider-state.ts'
import { readPaymentOfOrder } from '../payments/store.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place, stockOf } from '../checkout/testing.ts'
import { moveLines, readMoves, readOrder, quantityStates, stateOfPaidOrder, stateOfSellerOrder, sumQuantities } from './index.ts'
import { statesOf } from './list-orders.ts'
import { readOrderRows } from './list-store.ts'
import { statesBefore, sellerOrderSteps, type Actor, type SellerOrderState } from './order-states.ts'

const database = await testDatabase()
await fillShop(database)

let offers = 7000
/** A paid order with two lines of one seller and one of another. */
async function paidOrder() {
  const ids = [1, 1, 2].map((sellerId) => ({ id: String((offers += 1)), sellerId }))
  for (const offer of ids) await addOffer(database, { ...offer, stock: 10 })
  const buyer = newBuyer(database)
  const quantities = [3, 1, 2]
  const orderId = await draftOrder(
    buyer,
    ids.map(({ id }, index) => ({ offerId: id, quantity: quantities[index] ?? 1 })),
  )
  must(await place(buyer, orderId))
  await pay(orderId)
  return { orderId, first: `${orderId}-1`, second: `${orderId}-2`, offers: ids.map(({ id }) => id) as [string, string, string] }
}

async function pay(orderId: string): Promise<void> {
  const payment = await readPaymentOfOrder(database.db, orderId)
  assert.ok(payment)
  const { id, amount, currency } = payment
  for (const status of ['authorised', 'captured'] as const) {
    const seen = { reference: `r-${id}`, paymentId: id, status, amount, currency, failureCode: null, card: null, frameUrl: null }
    const money = { captured: status === 'captured' ? amount : 0, refunded: 0 }
    await database.command({}, (scope) => applyProviderState(scope, id, { ...seen, ...money }, 'test'))
  }
}

type Piece = [offerId: string, quantity: number, from: SellerOrderState, to: SellerOrderState]
const move = (sellerOrderId: string, actor: Actor, reason: string, ...pieces: Piece[]) =>
  database.command({}, (scope) =>
    moveLines(scope, {
      sellerOrderId,
      actor,
      reason,
      moves: pieces.map(([offerId, quantity, from, to]) => ({ offerId, quantity, from, to })),
    }),
  )
const states = async (orderId: string) => {
  const order = await readOrder(database.db, orderId)
  return [order?.state, ...(order?.sellerOrders.map(({ state }) => state) ?? [])]
}
const eventsOf = async (orderId: string) =>
  (await database.events()).flatMap(({ type, payload }) =>
    type.startsWith('seller-order.') && 'customerOrderId' in payload && payload.customerOrderId === orderId ? [type] : [],
  )

test('V-60 a paid order moves by line and quantity, and its states are derived from the moves', async () => {
  const {
    orderId,
    first,
    second,
    offers: [a, b, c],
  } = await paidOrder()
  assert.deepEqual(await states(orderId), ['paid', 'pending', 'pending'])
  must(await move(first, 'seller', 'accepted', [a, 3, 'pending', 'accepted'], [b, 1, 'pending', 'refused']))
  assert.deepEqual(await states(orderId), ['paid', 'accepted', 'pending'])
  must(await move(first, 'seller', 'handed-over', [a, 2, 'accepted', 'shipped']))
  assert.deepEqual(await states(orderId), ['part-shipped', 'preparing', 'pending'])
  must(await move(first, 'seller', 'handed-over', [a, 1, 'accepted', 'shipped']))
  must(await move(second, 'seller', 'refused', [c, 2, 'pending', 'refused']))
  assert.deepEqual(await states(orderId), ['shipped', 'shipped', 'refused'])
  must(await move(first, 'carrier', 'delivered', [a, 3, 'shipped', 'delivered']))
  assert.deepEqual(await states(orderId), ['delivered', 'delivered', 'refused'])
  must(await move(first, 'system', 'return-period-over', [a, 3, 'delivered', 'closed']))
  assert.deepEqual(await states(orderId), ['closed', 'closed', 'refused'])

  const history = await readMoves(database.db, [first, second])
  assert.deepEqual(
    history.map(({ actor, reason, quantity, from, to }) => `${actor} ${reason}: ${quantity} ${from} > ${to}`),
    [
      'seller accepted: 3 pending > accepted',
      'seller accepted: 1 pending > refused',
      'seller handed-over: 2 accepted > shipped',
      'seller handed-over: 1 accepted > shipped',
      'seller refused: 2 pending > refused',
      'carrier delivered: 3 shipped > delivered',
      'system return-period-over: 3 delivered > closed',
    ],
  )
  assert.deepEqual(await eventsOf(orderId), [
    'seller-order.accepted',
    'seller-order.refused',
    'seller-order.shipped',
    'seller-order.shipped',
    'seller-order.refused',
    'seller-order.delivered',
    'seller-order.closed',
  ])
})

test('refused and cancelled pieces return to stock, except those the seller does not have', async () => {
  const {
    orderId,
    first,
    offers: [a, b],
  } = await paidOrder()
  assert.deepEqual([await stockOf(database, a), await stockOf(database, b)], [7, 9])
  must(await move(first, 'buyer', 'changed-mind', [a, 2, 'pending', 'cancelled']))
  must(await move(first, 'seller', 'out-of-stock', [b, 1, 'pending', 'refused']))
  assert.deepEqual([await stockOf(database, a), await stockOf(database, b)], [9, 9])
  const { rows } = await database.pool.query(
    `select o.id from catalogue.offer o join catalogue.stock_movement m on m.offer_id = o.id where o.id = any($1) group by o.id having sum(m.delta) <> o.stock`,
    [[a, b]],
  )
  assert.deepEqual(rows, [])
  assert.deepEqual(
    (
      await database.pool.query(
        'select offer_id::text as id, -sum(delta)::int as held from catalogue.stock_movement where reference = $1 and offer_id = any($2) group by 1 order by 1',
        [orderId, [a, b]],
      )
    ).rows,
    [
      { id: a, held: 1 },
      { id: b, held: 0 },
    ],
  )
})

test('a refused move changes nothing, and an order that is not paid does not move', async () => {
  const {
    orderId,
    first,
    offers: [a],
  } = await paidOrder()
  assert.deepEqual(await move(first, 'buyer', 'x', [a, 1, 'accepted', 'cancelled']), { ok: false, reason: 'not-allowed' })
  assert.deepEqual(await move(first, 'seller', 'x', [a, 4, 'pending', 'accepted']), { ok: false, reason: 'not-in-this-state' })
  assert.deepEqual(await move('P404-1', 'seller', 'x', [a, 1, 'pending', 'accepted']), { ok: false, reason: 'unknown-order' })
  assert.deepEqual(await move(first, 'seller', 'x'), { ok: false, reason: 'nothing-to-move' })
  assert.deepEqual(await readMoves(database.db, [first]), [])
  await database.pool.query(`update orders.customer_order set state = 'refunded' where id = $1`, [orderId])
  assert.deepEqual(await move(first, 'seller', 'x', [a, 1, 'pending', 'accepted']), { ok: false, reason: 'order-not-paid' })
  must(await move(first, 'system', 'refunded', [a, 1, 'pending', 'cancelled']))
})

test('V-60 two actors race for the same pieces: one wins, the other is refused, and nothing is half done', async () => {
  for (let round = 0; round < 10; round += 1) {
    const {
      first,
      offers: [a],
    } = await paidOrder()
    const outcomes = await Promise.all([
      move(first, 'seller', 'accepted', [a, 3, 'pending', 'accepted']),
      move(first, 'buyer', 'changed-mind', [a, 2, 'pending', 'cancelled']),
      move(first, 'seller', 'out-of-stock', [a, 3, 'pending', 'refused']),
    ])
    assert.equal(outcomes.filter(({ ok }) => ok).length, 1, JSON.stringify(outcomes))
    const [line] = (await quantityStates(database.db, [first])).filter(({ offerId }) => offerId === a)
    assert.equal(
      Object.values(line?.quantities ?? {}).reduce((all, n) => all + n, 0),
      3,
    )
  }
  const {
    first,
    offers: [a],
  } = await paidOrder()
  must(await move(first, 'seller', 'accepted', [a, 3, 'pending', 'accepted']))
  const outcomes = await Promise.all([
    move(first, 'seller', 'handed-over', [a, 2, 'accepted', 'shipped']),
    move(first, 'seller', 'buyer-request', [a, 2, 'accepted', 'cancelled']),
    move(first, 'system', 'deadline-missed', [a, 2, 'accepted', 'cancelled']),
  ])
  assert.equal(outcomes.filter(({ ok }) => ok).length, 1)
})

test('V-60 the states that Postgres derives are those of the rules, after any sequence of moves', async () => {
  const {
    orderId,
    first,
    second,
    offers: [a, b, c],
  } = await paidOrder()
  let seed = 7
  const below = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n
  const actors: Actor[] = ['buyer', 'seller', 'system', 'carrier', 'operator']
  const seen = new Set<string>()
  for (let step = 0; step < 120; step += 1) {
    const [part, offerId] = (
      [
        [first, a],
        [first, b],
        [second, c],
      ] as const
    )[below(3)] ?? [first, a]
    const lines = await quantityStates(database.db, [part])
    const quantities = lines.find((line) => line.offerId === offerId)?.quantities ?? {}
    const held = (Object.keys(quantities) as SellerOrderState[])[below(Object.keys(quantities).length)]
    const actor = actors[below(actors.length)] ?? 'seller'
    const next = sellerOrderSteps.filter(({ from, to }) => from === held && statesBefore(sellerOrderSteps, to, actor).includes(from))
    const to = next[below(Math.max(1, next.length))]?.to
    if (held && to) must(await move(part, actor, 'random', [offerId, 1, held, to]))
    const all = await quantityStates(database.db, [first, second])
    const of = (id: string) => stateOfSellerOrder(sumQuantities(all.filter(({ sellerOrderId }) => sellerOrderId === id)))
    const expected = [stateOfPaidOrder(sumQuantities(all)), of(first), of(second)]
    assert.deepEqual(await states(orderId), expected)
    for (const state of expected) seen.add(state)
  }
  assert.ok(seen.size >= 5, [...seen].join())
})

test('R-092 the lists by state show a paid order where its derived state belongs, after every move and with outcomes that were never written', async () => {
  const { orderId, first, second, offers: ids } = await paidOrder()
  const [a, b, c] = ids
  const lists = async () => {
    const { rows } = await database.pool.query<{ owner: string }>('select owner from orders.customer_order where id = $1', [orderId])
    const which = { owner: rows[0]?.owner ?? '', companyId: null, memberOf: null, market: 'gb' as const, words: [] }
    const found = await Promise.all(
      (['open', 'delivered', 'cancelled'] as const).map(async (filter) => {
        const { total } = await readOrderRows(database.db, { ...which, states: statesOf(filter) }, { limit: 10, offset: 0 })
        return total === 1 ? [filter] : []
      }),
    )
    return found.flat()
  }
  const both = async () => {
    const written = await lists()
    await database.pool.query(`update orders.seller_order set outcome = null where customer_order_id = $1`, [orderId])
    assert.deepEqual(await lists(), written, 'derived where nothing was written')
    return written
  }
  assert.deepEqual(await lists(), ['open'])
  await move(first, 'seller', 'out-of-stock', [a, 3, 'pending', 'refused'], [b, 1, 'pending', 'refused'])
  assert.deepEqual(await lists(), ['open'])
  await move(second, 'seller', 'accepted', [c, 2, 'pending', 'accepted'])
  await move(second, 'seller', 'handed-over', [c, 2, 'accepted', 'shipped'])
  assert.deepEqual(await lists(), ['open'])
  await move(second, 'carrier', 'delivered', [c, 2, 'shipped', 'delivered'])
  assert.deepEqual(await lists(), ['delivered'])
  await move(second, 'buyer', 'defective', [c, 1, 'delivered', 'incident-open'])
  assert.deepEqual(await both(), ['open'], 'an incident opens it again')
  await move(second, 'seller', 'settled', [c, 1, 'incident-open', 'closed'])
  assert.deepEqual(await both(), ['delivered'])
  const other = await paidOrder()
  const [x, y, z] = other.offers
  await move(other.first, 'seller', 'out-of-stock', [x, 3, 'pending', 'refused'], [y, 1, 'pending', 'refused'])
  await move(other.second, 'seller', 'out-of-stock', [z, 2, 'pending', 'refused'])
  const outcomes = async () =>
    (await database.pool.query<{ id: string; outcome: string | null }>('select id, outcome from orders.seller_order order by id')).rows
  const written = await outcomes()
  const of = (rows: { id: string; outcome: string | null }[], id: string) => rows.find((row) => row.id === id)?.outcome
  assert.deepEqual([of(written, other.first), of(written, other.second)], ['dropped', 'dropped'])
  // Orders of earlier releases get theirs from the moves.
  await database.pool.query('update orders.seller_order set outcome = null')
  const backfill = readFileSync(join(import.meta.dirname, '202611242252-outcome.backfill.sql'), 'utf8')
  await database.pool.query(backfill, [null, 1000])
  const filled = await outcomes()
  assert.equal(of(filled, second), 'arrived')
  assert.ok(filled.every(({ outcome }) => outcome !== null))
  for (const { id, outcome } of written) if (outcome !== null) assert.equal(of(filled, id), outcome, id)
})
