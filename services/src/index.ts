import { join } from 'node:path'
import { type IdentityProviderOptions, startIdentityProvider } from './identity-provider/index.ts'
import { startCreditProvider } from './credit-provider/index.ts'
import type { KnownCredit } from './credit-provider/known.ts'
import type { Known } from './payment-provider/known.ts'
import { startParcelCarrier } from './parcel-carrier/index.ts'
import { startPaymentProvider } from './payment-provider/index.ts'
import { startSmsProvider } from './sms-provider/index.ts'
import { startVatCheck, type Trader } from './vat-check/index.ts'

export { payeeOf } from './credit-provider/api.ts'
export type { KnownCredit } from './credit-provider/known.ts'
export type { Known } from './payment-provider/known.ts'
export { challengeCode, testCards, type TestCard } from './payment-provider/demo-cards.ts'

export interface ServicesOptions {
  /** The shop's port: the payment provider uses the next one, the identity provider the one after, the VAT registers the third, the carrier the fourth, the credit provider the fifth, the SMS provider the sixth. */
  port: number
  dataDir: string
  /** Undefined: sign-in uses a Keycloak. */
  identity?: Omit<IdentityProviderOptions, 'port'>
  /** Data that the embedded payment provider has before its first start. */
  known?: Known
  /** Undefined: VAT numbers are checked with VIES and HMRC. */
  vat?: { traders: readonly Trader[] }
  /** Undefined: parcels go through an aggregator. */
  carrier?: { apiKey: string; webhookSecret: string; speed: number }
  /** Undefined: another credit provider, or none. */
  credit?: { apiKey: string; webhookSecret: string; debitMs: number; known?: KnownCredit }
  /** Undefined: another provider of text messages, or none. */
  sms?: { account: string; token: string }
  payments: { provider: 'embedded'; secret: string; webhookSecret: string; webhookUrl: string; origin: string } | { provider: 'stripe' }
}

/** External services, embedded: a payment provider, an identity provider, VAT registers, a parcel carrier, a credit provider and an SMS provider, unless real ones are configured. */
export async function startServices({
  port,
  dataDir,
  payments,
  identity,
  vat,
  carrier,
  credit,
  sms,
  known,
}: ServicesOptions): Promise<{ close(): Promise<void> }> {
  const running = await Promise.all([
    startPayments({ port, dataDir, payments, ...(known && { known }) }),
    identity && startIdentityProvider({ ...identity, port: port + 2 }),
    vat && startVatCheck({ ...vat, port: port + 3 }),
    carrier &&
      startParcelCarrier({
        ...carrier,
        port: port + 4,
        file: join(dataDir, 'parcel-carrier', 'parcels.sqlite'),
        webhookUrl: `http://127.0.0.1:${port}/webhooks/carrier`,
      }),
    credit &&
      startCreditProvider({
        ...credit,
        port: port + 5,
        file: join(dataDir, 'credit-provider', 'orders.sqlite'),
        webhookUrl: `http://127.0.0.1:${port}/webhooks/credit`,
      }),
    sms && startSmsProvider({ ...sms, port: port + 6 }),
  ])
  return { close: async () => void (await Promise.all(running.map(async (service) => service?.close()))) }
}

async function startPayments({ port, dataDir, payments, known }: Omit<ServicesOptions, 'identity' | 'vat' | 'carrier' | 'credit' | 'sms'>) {
  if (payments.provider === 'stripe') return undefined
  const { secret, webhookSecret, webhookUrl, origin } = payments
  return startPaymentProvider({
    port: port + 1,
    file: join(dataDir, 'payment-provider', 'payments.sqlite'),
    secret,
    webhookSecret,
    webhookUrl,
    origin,
    ...(known && { known }),
  })
}
