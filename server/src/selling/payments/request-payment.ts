import { markets } from '@purlin/contract/markets.ts'
import { newId, type Scope } from '#platform'
import { paymentProvider } from './settings.ts'
import { insertPayment } from './store.ts'

/** Asks for the money of a placed order; the worker speaks with the provider. Answers the payment's id. */
export async function requestPayment(scope: Scope, order: { id: string; placement: number; amount: number }): Promise<string> {
  const id = newId()
  await insertPayment(scope.db, {
    id,
    customerOrderId: order.id,
    placement: order.placement,
    provider: paymentProvider().name,
    amount: order.amount,
    currency: markets[scope.market].currency,
    market: scope.market,
    mode: scope.mode,
    origin: scope.origin,
  })
  scope.emit('payment.requested', { paymentId: id, customerOrderId: order.id })
  return id
}
