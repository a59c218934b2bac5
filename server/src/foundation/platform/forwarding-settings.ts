import type { Environment, SettingName } from './environment.ts'

/** Services that receive events of visitors who agreed; undefined: not in use. */
export interface ForwardingSettings {
  /** Google Analytics 4, by the Measurement Protocol. */
  ga4: { url: string; measurementId: string; apiSecret: string } | undefined
  /** A conversion API of Meta's shape. */
  conversions: { url: string; token: string } | undefined
  /** Any other receiver, by signed webhooks. */
  webhook: { url: string; secret: string } | undefined
}

/** Each service with the secret it cannot do without. */
export const forwardingPairs: readonly (readonly [SettingName, SettingName])[] = [
  ['GA4_MEASUREMENT_ID', 'GA4_API_SECRET'],
  ['CONVERSIONS_URL', 'CONVERSIONS_TOKEN'],
  ['EVENTS_WEBHOOK_URL', 'EVENTS_WEBHOOK_SECRET'],
]

export function forwardingSettings(environment: Environment): ForwardingSettings {
  const { GA4_MEASUREMENT_ID: measurementId, GA4_API_SECRET: apiSecret, GA4_URL } = environment
  const { CONVERSIONS_URL, CONVERSIONS_TOKEN: token, EVENTS_WEBHOOK_URL, EVENTS_WEBHOOK_SECRET: secret } = environment
  return {
    ga4: measurementId && apiSecret ? { url: GA4_URL, measurementId, apiSecret } : undefined,
    conversions: CONVERSIONS_URL && token ? { url: CONVERSIONS_URL, token } : undefined,
    webhook: EVENTS_WEBHOOK_URL && secret ? { url: EVENTS_WEBHOOK_URL, secret } : undefined,
  }
}
