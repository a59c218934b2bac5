import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { Scope } from '#platform'
import { moveLines, readOrder, type SellerOrderState } from '#orders'
import type { TestDatabase } from '#platform/testing'
import { draftOrder, must, newBuyer, place, type Buyer } from '../../selling/checkout/testing.ts'
import { applyProviderState } from '../../selling/payments/apply-provider-state.ts'
import { readPaymentOfOrder } from '../../selling/payments/store.ts'

/** For tests: orders that are paid and sent. */

export async function payOrder(database: TestDatabase, orderId: string): Promise<void> {
  const payment = await readPaymentOfOrder(database.db, orderId)
  assert.ok(payment)
  const { id, amount, currency } = payment
  for (const status of ['authorised', 'captured'] as const) {
    const seen = { reference: `r-${id}`, paymentId: id, status, amount, currency, failureCode: null, card: null, frameUrl: null }
    const money = { captured: status === 'captured' ? amount : 0, refunded: 0 }
    await database.command({}, (scope) => applyProviderState(scope, id, { ...seen, ...money }, 'test'))
  }
}

/** A paid order of these lines. */
export async function paidOrder(
  database: TestDatabase,
  lines: { offerId: string; quantity: number }[],
  overrides: Partial<Scope> = {},
): Promise<{ orderId: string; buyer: Buyer }> {
  const buyer = newBuyer(database, overrides)
  const orderId = await draftOrder(buyer, lines)
  must(await place(buyer, orderId))
  await payOrder(database, orderId)
  return { orderId, buyer }
}

/** The seller accepts and sends these pieces. */
export async function send(
  database: TestDatabase,
  sellerOrderId: string,
  pieces: Record<string, number>,
  parcelId?: string,
): Promise<void> {
  const steps: [SellerOrderState, SellerOrderState][] = [
    ['pending', 'accepted'],
    ['accepted', 'shipped'],
  ]
  for (const [from, to] of steps) {
    const moves = Object.entries(pieces).map(([offerId, quantity]) => ({ offerId, quantity, from, to }))
    const cause = { actor: 'seller', reason: 'test', ...(parcelId !== undefined && { parcelId }) } as const
    must(await database.command({}, (scope) => moveLines(scope, { sellerOrderId, moves, ...cause })))
  }
}

/** Everything of an order is sent. */
export async function sendAll(database: TestDatabase, orderId: string): Promise<void> {
  const order = await readOrder(database.db, orderId)
  for (const { id, lines } of order?.sellerOrders ?? [])
    await send(database, id, Object.fromEntries(lines.map(({ offerId, quantity }) => [offerId, quantity])))
}

export interface Downloaded {
  status: number
  type: string
  disposition: string
  body: Buffer
}

/** Like `fetch`, which does not allow choosing the Host header. */
export function download(url: string, path: string, cookie: string): Promise<Downloaded> {
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { headers: { cookie, host: 'localhost' }, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          type: String(answer.headers['content-type']),
          disposition: String(answer.headers['content-disposition']),
          body: Buffer.concat(chunks),
        }),
      )
    })
      .on('error', reject)
      .end()
  })
}
