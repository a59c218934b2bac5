import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { formatMoney } from '#pricing'
import { payLabel } from './pay-label.ts'
import type { Payment } from './payment.ts'
import type { IntentWish } from './provider.ts'

/** The request to create a payment intent, derived from the payment alone so that every retry is identical. */
export function intentWish({
  id,
  customerOrderId,
  amount,
  currency,
  market,
  origin,
}: Pick<Payment, 'id' | 'customerOrderId' | 'amount' | 'currency' | 'market' | 'origin'>): IntentWish {
  return {
    paymentId: id,
    customerOrderId,
    amount,
    currency,
    market,
    payLabel: `${payLabel(market)} · ${formatMoney({ amount, currency }, market)}`,
    returnUrl: origin + publicUrl('paymentReturn', {}, { order: customerOrderId }),
    shopOrigin: origin,
  }
}
