import type { ConsentPurpose } from '@purlin/contract/consent.ts'
import { browserConsent } from './browser-consent.ts'

/** The signals of Google Consent Mode, by purpose; tags in the data layer follow them. */
const signals = {
  statistics: ['analytics_storage'],
  personalisedAdvertising: ['ad_storage', 'ad_user_data', 'ad_personalization'],
  userPreferences: ['functionality_storage', 'personalization_storage'],
} as const satisfies Record<ConsentPurpose, readonly string[]>

/** Consent Mode reads the arguments object of `gtag`, not an array. */
function gtag(..._said: ['consent', 'default' | 'update', Record<string, 'granted' | 'denied'>]): void {
  // oxlint-disable-next-line prefer-rest-params -- Consent Mode ignores an array; it reads the arguments object
  ;(window.dataLayer ??= []).push(arguments)
}

export function sayConsentMode(moment: 'default' | 'update'): void {
  const { allows } = browserConsent()
  const states = Object.entries(signals).flatMap(([purpose, names]) =>
    names.map((name) => [name, allows(purpose as ConsentPurpose) ? ('granted' as const) : ('denied' as const)]),
  )
  gtag('consent', moment, { security_storage: 'granted', ...Object.fromEntries(states) })
}
