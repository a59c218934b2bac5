import { markets } from '@purlin/contract/markets.ts'
import { customerIdOf } from '#accounts'
import { newId, type Scope } from '#platform'
import { creditProvider, paymentProvider } from './settings.ts'
import { paymentValues } from './store.ts'

/** A card, or an invoice to a company. */
export type PayBy = { method: 'card'; companyId: null } | { method: 'invoice'; companyId: string }
export const byCard: PayBy = { method: 'card', companyId: null }

/** The request for payment of a placed order, as values of `insertPaymentAs`; the worker calls the provider. */
export function paymentRequest(scope: Scope, order: { id: string; placement: number; amount: number }, payBy: PayBy = byCard): unknown[] {
  const { market, mode, origin } = scope
  return paymentValues({
    id: newId(),
    customerOrderId: order.id,
    customerId: customerIdOf(scope),
    ...payBy,
    placement: order.placement,
    provider: (payBy.method === 'invoice' ? creditProvider() : paymentProvider()).name,
    amount: order.amount,
    currency: markets[market].currency,
    market,
    mode,
    origin,
  })
}
