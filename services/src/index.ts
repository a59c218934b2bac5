import { join } from 'node:path'
import { startPaymentProvider } from './payment-provider/index.ts'

export { challengeCode, testCards, type TestCard } from './payment-provider/demo-cards.ts'

export interface ServicesOptions {
  /** The shop's port: the payment provider takes the next one. */
  port: number
  dataDir: string
  payments: { provider: 'embedded'; secret: string; webhookSecret: string; webhookUrl: string; origin: string } | { provider: 'stripe' }
}

/** The outside world of the demo: a payment provider on its own origin. With PAYMENT_PROVIDER=stripe there is none. */
export async function startServices({ port, dataDir, payments }: ServicesOptions): Promise<{ close(): Promise<void> }> {
  if (payments.provider === 'stripe') return { close: async () => undefined }
  const { secret, webhookSecret, webhookUrl, origin } = payments
  return startPaymentProvider({
    port: port + 1,
    file: join(dataDir, 'payment-provider', 'payments.sqlite'),
    secret,
    webhookSecret,
    webhookUrl,
    origin,
  })
}
