import { readPaymentOfOrder } from '../../selling/payments/store.ts'
import { applyProviderState } from '../../selling/payments/apply-provider-state.ts'
import { addOffer, draftOrder, must, newBuyer, place } from '../../selling/checkout/testing.ts'
import type { TestDatabase } from '#platform/testing'
import type { Scope } from '#platform'

/** For tests: paid orders. */

let offers = 60_000

export interface PaidOrder {
  orderId: string
  /** Id of each seller order, by seller. */
  part: (sellerId: number) => string
  offers: readonly string[]
}

/** A paid order with a line per entry: [seller, quantity]. */
export async function paidOrder(
  database: TestDatabase,
  lines: readonly (readonly [sellerId: number, quantity: number])[],
  overrides: Partial<Scope> = {},
): Promise<PaidOrder> {
  const sold = lines.map(([sellerId, quantity]) => ({ offerId: String((offers += 1)), sellerId, quantity }))
  const market = overrides.market ?? 'gb'
  for (const { offerId, sellerId } of sold) await addOffer(database, { id: offerId, sellerId, market, stock: 20 })
  const buyer = newBuyer(database, overrides)
  const orderId = await draftOrder(buyer, sold)
  must(await place(buyer, orderId))
  const payment = await readPaymentOfOrder(database.db, orderId)
  if (!payment) throw new Error('The order has no payment')
  const { id, amount, currency } = payment
  for (const status of ['authorised', 'captured'] as const) {
    const captured = status === 'captured' ? amount : 0
    const seen = { reference: `r-${id}`, paymentId: id, amount, currency, failureCode: null, card: null, frameUrl: null, refunded: 0 }
    await database.command({}, (scope) => applyProviderState(scope, id, { ...seen, status, captured }, 'test'))
  }
  return { orderId, part: (sellerId) => `${orderId}-${sellerId}`, offers: sold.map(({ offerId }) => offerId) }
}
