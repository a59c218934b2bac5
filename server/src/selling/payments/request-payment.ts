import { markets } from '@purlin/contract/markets.ts'
import { customerIdOf } from '#accounts'
import { newId, type Scope } from '#platform'
import { paymentProvider } from './settings.ts'
import { insertPayment } from './store.ts'

/** Requests payment for a placed order; the worker calls the provider. False when this placement already has a payment. */
export async function requestPayment(scope: Scope, order: { id: string; placement: number; amount: number }): Promise<boolean> {
  const id = newId()
  const { market, mode, origin } = scope
  const customerId = customerIdOf(scope)
  const asked = { customerId, placement: order.placement, amount: order.amount, currency: markets[market].currency, market, origin }
  scope.emit('payment.requested', { paymentId: id, customerOrderId: order.id, asked })
  return insertPayment(scope.db, { ...asked, id, customerOrderId: order.id, provider: paymentProvider().name, mode })
}
