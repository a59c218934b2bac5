import { consentedStorage } from '@purlin/contract/consented-storage.ts'
import { endPush } from '../push/end-push.ts'
import { browserConsent } from './browser-consent.ts'

/** Removes what was stored under purposes that are not allowed, or no longer. */
export function tidyStorage(): void {
  const { purposes } = browserConsent()
  // Push messages were agreed to on top of it.
  if (!purposes.includes('userPreferences')) void endPush()
  for (const { name, in: place, purposes: allowedBy } of consentedStorage) {
    if (allowedBy.some((each) => purposes.includes(each))) continue
    try {
      if (place === 'cookie') removeCookie(name)
      else (place === 'local' ? localStorage : sessionStorage).removeItem(name)
    } catch {
      // Without storage there is nothing to remove.
    }
  }
}

function removeCookie(name: string): void {
  if (document.cookie.includes(`${name}=`)) document.cookie = `${name}=; path=/; max-age=0`
}
