import { settings, type Creditor } from '#platform'
import type { CreditProvider } from './credit-provider.ts'
import { embeddedCredit } from './embedded-credit.ts'
import { embeddedProvider } from './embedded-provider.ts'
import type { PaymentProvider } from './provider.ts'
import { stripeProvider } from './stripe-provider.ts'

let provider: PaymentProvider | undefined

/** The configured provider: PAYMENT_PROVIDER is `embedded` or `stripe`. */
export function paymentProvider(): PaymentProvider {
  return (provider ??= fromSettings())
}

/** Replaces the provider of this process; without an argument restores the configured one. For tests. */
export function usePaymentProvider(other?: PaymentProvider): void {
  provider = other
}

let credit: CreditProvider | undefined

/** Whether companies can pay by invoice in this shop at all. */
export function hasCreditProvider(): boolean {
  return credit !== undefined || settings().credit.kind !== 'none'
}

/** The creditor of direct debits; null where statements are paid by transfer alone. */
export function directDebitCreditor(): Creditor | null {
  const { credit: configured } = settings()
  return configured.kind === 'none' ? null : configured.creditor
}

/** The configured credit provider. @throws when the shop has none */
export function creditProvider(): CreditProvider {
  if (credit) return credit
  const { credit: configured } = settings()
  if (configured.kind === 'none') throw new Error('This shop has no credit provider')
  return (credit = embeddedCredit(configured))
}

/** Replaces the credit provider of this process; without an argument restores the configured one. For tests. */
export function useCreditProvider(other?: CreditProvider): void {
  credit = other
}

/** The provider of a payment: of invoices, or of cards. */
export function providerOf(payment: { provider: string }): Pick<PaymentProvider, 'capture' | 'void' | 'retrieve'> {
  return payment.provider === 'credit' ? creditProvider() : paymentProvider()
}

function fromSettings(): PaymentProvider {
  const { payments } = settings()
  if (payments.provider === 'embedded') {
    const { providerUrl, secret, webhookSecret } = payments
    return embeddedProvider({ url: providerUrl, secret, webhookSecret })
  }
  const { secretKey, webhookSecret, publishableKey, frameUrl, apiUrl } = payments
  return stripeProvider({ secretKey, webhookSecret, publishableKey, frameUrl, ...(apiUrl && { apiUrl }) })
}
