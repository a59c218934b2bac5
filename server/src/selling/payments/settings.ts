import { settings } from '#platform'
import { embeddedProvider } from './embedded-provider.ts'
import type { PaymentProvider } from './provider.ts'
import { stripeProvider } from './stripe-provider.ts'

let provider: PaymentProvider | undefined

/** The provider the settings name: PAYMENT_PROVIDER is `embedded` or `stripe`. */
export function paymentProvider(): PaymentProvider {
  return (provider ??= fromSettings())
}

/** Another provider for this process, or with nothing the one of the settings again. For tests. */
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
