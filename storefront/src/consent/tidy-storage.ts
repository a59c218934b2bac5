import { consentedStorage } from '@purlin/contract/consented-storage.ts'
import { browserConsent } from './browser-consent.ts'

/** Removes what was stored under purposes that are not allowed, or no longer. */
export function tidyStorage(): void {
  const { allows } = browserConsent()
  // Push messages were agreed to on top of it; without the browser's permission there is no subscription.
  if (!allows('userPreferences') && globalThis.Notification?.permission === 'granted')
    void import('../push/end-push.ts').then(({ endPush }) => endPush(true)).catch(() => undefined)
  for (const { name, in: place, purpose } of consentedStorage) {
    if (allows(purpose)) continue
    try {
      if (place === 'cookie') document.cookie = `${name}=; path=/; max-age=0`
      else (place === 'local' ? localStorage : sessionStorage).removeItem(name)
    } catch {
      // Without storage there is nothing to remove.
    }
  }
}
