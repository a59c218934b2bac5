import assert from 'node:assert/strict'
import type { TestDatabase } from '#platform/testing'
import { moveLines, readOrder } from '../../selling/orders/index.ts'
import { applyProviderState } from '../../selling/payments/apply-provider-state.ts'
import { readPaymentOfOrder } from '../../selling/payments/store.ts'
import { draftOrder, must, place, type Buyer } from '../../selling/checkout/testing.ts'

/** For tests: a paid order, and one that has arrived. */
export async function paidOrder(database: TestDatabase, buyer: Buyer, offerIds: readonly string[]): Promise<string> {
  const orderId = await draftOrder(
    buyer,
    offerIds.map((offerId) => ({ offerId, quantity: 1 })),
  )
  must(await place(buyer, orderId))
  const payment = await readPaymentOfOrder(database.db, orderId)
  assert.ok(payment)
  const { id, amount, currency } = payment
  for (const status of ['authorised', 'captured'] as const) {
    const seen = { reference: `r-${id}`, paymentId: id, status, amount, currency, failureCode: null, card: null, frameUrl: null }
    const money = { captured: status === 'captured' ? amount : 0, refunded: 0 }
    await database.command({}, (scope) => applyProviderState(scope, id, { ...seen, ...money }, 'test'))
  }
  return orderId
}

export async function receivedOrder(database: TestDatabase, buyer: Buyer, offerIds: readonly string[]): Promise<string> {
  const orderId = await paidOrder(database, buyer, offerIds)
  const order = await readOrder(database.db, orderId)
  const steps = [
    ['pending', 'accepted', 'seller'],
    ['accepted', 'shipped', 'seller'],
    ['shipped', 'delivered', 'carrier'],
  ] as const
  for (const { id: sellerOrderId, lines } of order?.sellerOrders ?? [])
    for (const [from, to, actor] of steps) {
      const moves = lines.map(({ offerId, quantity }) => ({ offerId, quantity, from, to }))
      must(await database.command({}, (scope) => moveLines(scope, { sellerOrderId, moves, actor, reason: 'test' })))
    }
  return orderId
}
