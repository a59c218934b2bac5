import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { formatMoney } from '#pricing'
import { payLabel } from './pay-label.ts'
import type { Payment } from './payment.ts'
import type { IntentRequest } from './provider.ts'
import { waysToPay } from './ways-to-pay.ts'

export type IntentPayment = Pick<
  Payment,
  | 'id'
  | 'provider'
  | 'companyId'
  | 'customerOrderId'
  | 'customerId'
  | 'placement'
  | 'authorisations'
  | 'amount'
  | 'currency'
  | 'market'
  | 'mode'
  | 'origin'
>

/** The request to create a payment intent, derived from the payment and its customer alone so that every retry is identical. */
export function intentRequest(
  { id, customerOrderId, amount, currency, market, mode, origin }: IntentPayment,
  customer: string | null,
): IntentRequest {
  return {
    paymentId: id,
    customerOrderId,
    amount,
    currency,
    market,
    payLabel: `${payLabel(market)} · ${formatMoney({ amount, currency }, market)}`,
    returnUrl: origin + publicUrl('paymentReturn', {}, { order: customerOrderId }),
    shopOrigin: origin,
    customer,
    ways: waysToPay({ mode, amount }),
  }
}
