import { markets } from '@purlin/contract/markets.ts'
import { customerIdOf } from '#accounts'
import { newId, type Scope } from '#platform'
import { paymentProvider } from './settings.ts'
import { paymentValues } from './store.ts'

/** The request for payment of a placed order, as values of `insertPaymentAs`; the worker calls the provider. */
export function paymentRequest(scope: Scope, order: { id: string; placement: number; amount: number }): unknown[] {
  const { market, mode, origin } = scope
  return paymentValues({
    id: newId(),
    customerOrderId: order.id,
    customerId: customerIdOf(scope),
    placement: order.placement,
    provider: paymentProvider().name,
    amount: order.amount,
    currency: markets[market].currency,
    market,
    mode,
    origin,
  })
}
