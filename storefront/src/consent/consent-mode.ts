import type { ConsentPurpose } from '@purlin/contract/consent.ts'
import { browserConsent } from './browser-consent.ts'

/** The signals of Google Consent Mode and their purposes; tags in the data layer follow them. */
const signals = {
  analytics_storage: 'statistics',
  ad_storage: 'personalisedAdvertising',
  ad_user_data: 'personalisedAdvertising',
  ad_personalization: 'personalisedAdvertising',
  functionality_storage: 'userPreferences',
  personalization_storage: 'userPreferences',
} as const satisfies Record<string, ConsentPurpose>

/** Consent Mode reads the arguments object of `gtag`, not an array. */
function gtag(..._said: ['consent', 'default' | 'update', Record<string, 'granted' | 'denied'>]): void {
  // oxlint-disable-next-line prefer-rest-params -- Consent Mode ignores an array; it reads the arguments object
  ;(window.dataLayer ??= []).push(arguments)
}

export function sayConsentMode(moment: 'default' | 'update'): void {
  const { allows } = browserConsent()
  const states = Object.entries(signals).map(([name, purpose]) => [name, allows(purpose) ? ('granted' as const) : ('denied' as const)])
  gtag('consent', moment, { security_storage: 'granted', ...Object.fromEntries(states) })
}
