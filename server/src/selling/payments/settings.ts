import { createSiteHosts, type SiteHosts } from '@purlin/contract/site-settings.ts'
import { embeddedProvider } from './embedded-provider.ts'
import type { PaymentProvider } from './provider.ts'
import { stripeProvider } from './stripe-provider.ts'

/** Secrets of the demo: known to everybody, refused on real domains. */
export const demoSecrets = { secret: 'demo-payment-secret-not-for-production', webhookSecret: 'demo-webhook-secret-not-for-production' }

let provider: PaymentProvider | undefined
let hosts: SiteHosts | undefined

/** The provider the settings name: PAYMENT_PROVIDER is `embedded` or `stripe`. */
export function paymentProvider(): PaymentProvider {
  provider ??= fromSettings(process.env)
  return provider
}

/** Another provider for this process, or with nothing the one of the settings again. For tests. */
export function usePaymentProvider(other?: PaymentProvider): void {
  provider = other
}

function fromSettings(env: NodeJS.ProcessEnv): PaymentProvider {
  if (env['PAYMENT_PROVIDER'] === 'stripe') {
    return stripeProvider({
      secretKey: needed(env, 'STRIPE_SECRET_KEY'),
      webhookSecret: needed(env, 'STRIPE_WEBHOOK_SECRET'),
      publishableKey: needed(env, 'STRIPE_PUBLISHABLE_KEY'),
      frameUrl: needed(env, 'STRIPE_FRAME_URL'),
      ...(env['STRIPE_API_URL'] && { apiUrl: env['STRIPE_API_URL'] }),
    })
  }
  const secret = env['PAYMENT_SECRET'] || demoSecrets.secret
  const webhookSecret = env['PAYMENT_WEBHOOK_SECRET'] || demoSecrets.webhookSecret
  if (env['SITE_HOSTS'] && (secret === demoSecrets.secret || webhookSecret === demoSecrets.webhookSecret)) {
    throw new Error(
      'PAYMENT_SECRET and PAYMENT_WEBHOOK_SECRET still have the values of the demo, and SITE_HOSTS names real domains. Set your own.',
    )
  }
  return embeddedProvider({ url: env['PAYMENT_PROVIDER_URL'] || `http://127.0.0.1:${shopPort(env) + 1}`, secret, webhookSecret })
}

function needed(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name]
  if (!value) throw new Error(`${name} is not set, and PAYMENT_PROVIDER=stripe needs it.`)
  return value
}

function shopPort(env: NodeJS.ProcessEnv): number {
  return Number(env['PORT']) || 3000
}

/** The shop's own addresses: links of payments and mails are made with them, never with what a request claims. */
export function siteHosts(): SiteHosts {
  hosts ??= createSiteHosts({ port: shopPort(process.env), ...(process.env['SITE_HOSTS'] && { realHosts: process.env['SITE_HOSTS'] }) })
  return hosts
}
