import { settings } from '#platform'
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

function fromSettings(): PaymentProvider {
  const { payments } = settings()
  if (payments.provider === 'embedded') {
    const { providerUrl, secret, webhookSecret } = payments
    return embeddedProvider({ url: providerUrl, secret, webhookSecret })
  }
  const { secretKey, webhookSecret, publishableKey, frameUrl, apiUrl } = payments
  return stripeProvider({ secretKey, webhookSecret, publishableKey, frameUrl, ...(apiUrl && { apiUrl }) })
}
