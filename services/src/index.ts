import { join } from 'node:path'
import { startPaymentProvider } from './payment-provider/index.ts'

export { challengeCode, testCards, type TestCard } from './payment-provider/demo-cards.ts'

/** Secrets of the demo: known to everybody; the shop refuses them in production. */
const demoSecret = 'demo-payment-secret-not-for-production'
const demoWebhookSecret = 'demo-webhook-secret-not-for-production'

export interface ServicesOptions {
  /** The shop's port: the payment provider takes the next one. */
  port: number
  dataDir: string
}

/** The outside world of the demo: a payment provider on its own origin. With PAYMENT_PROVIDER=stripe there is none. */
export async function startServices({ port, dataDir }: ServicesOptions): Promise<{ close(): Promise<void> }> {
  const { env } = process
  if (env['PAYMENT_PROVIDER'] === 'stripe') return { close: async () => undefined }
  return startPaymentProvider({
    port: port + 1,
    file: join(dataDir, 'payment-provider', 'payments.sqlite'),
    secret: env['PAYMENT_SECRET'] || demoSecret,
    webhookSecret: env['PAYMENT_WEBHOOK_SECRET'] || demoWebhookSecret,
    webhookUrl: env['PAYMENT_WEBHOOK_URL'] || `http://127.0.0.1:${port}/webhooks/payment`,
    ...(env['PAYMENT_ORIGIN'] && { origin: env['PAYMENT_ORIGIN'] }),
  })
}
