import { settings } from '#platform'
import type { SmsProvider } from './provider.ts'
import { restProvider } from './rest-provider.ts'

let provider: SmsProvider | null | undefined

/** The provider of the settings; null for a shop that sends no text messages. */
export function smsProvider(): SmsProvider | null {
  if (provider === undefined) {
    const { sms } = settings()
    provider = sms.kind === 'none' ? null : restProvider(sms)
  }
  return provider
}

export function hasSmsProvider(): boolean {
  return smsProvider() !== null
}

/** Replaces the provider of this process; without an argument restores the configured one. For tests. */
export function useSmsProvider(other?: SmsProvider | null): void {
  provider = other
}
