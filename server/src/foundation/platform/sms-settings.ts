import type { Environment } from './environment.ts'

/** A provider of text messages that speaks Twilio's API, or the embedded one that does; none on real domains without an address. */
export type SmsSettings =
  | { kind: 'none' }
  | { kind: 'embedded' | 'remote'; url: string; account: string; token: string; sender: string; webhookUrl: string }

/** The embedded provider listens on the sixth port after the shop's. */
export function smsSettings(environment: Environment, isPublic: boolean): SmsSettings {
  const { PORT: port, SMS_URL: url, SMS_ACCOUNT: account, SMS_TOKEN: token, SMS_FROM: sender } = environment
  const webhookUrl = environment.SMS_WEBHOOK_URL ?? `http://127.0.0.1:${port}/webhooks/sms`
  if (url) return { kind: 'remote', url: url.replace(/\/+$/, ''), account, token, sender, webhookUrl }
  return isPublic ? { kind: 'none' } : { kind: 'embedded', url: `http://127.0.0.1:${port + 6}`, account, token, sender, webhookUrl }
}
