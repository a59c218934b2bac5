import type { Mode } from '@purlin/contract/markets.ts'
import type { PaymentWay } from './payment.ts'

/** Sums, in minor units, for which a credit is granted; the same in pounds and euros. */
const credit = { from: 35_00, to: 1_500_00 }

/** Ways to pay besides cards: wallets for everybody, credit for consumers and sums that are worth it. */
export function waysToPay({ mode, amount }: { mode: Mode; amount: number }): PaymentWay[] {
  const wallets: PaymentWay[] = ['apple-pay', 'google-pay', 'paypal']
  const hasCredit = mode === 'b2c' && amount >= credit.from && amount <= credit.to
  return hasCredit ? [...wallets, 'klarna', 'three-parts'] : wallets
}
