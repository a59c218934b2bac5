/** The purposes a visitor may agree to. Source: spec §6, R-517…R-519. */
export const consentPurposes = ['statistics', 'personalisedAdvertising', 'userPreferences'] as const
export type ConsentPurpose = (typeof consentPurposes)[number]

/** Value of the consent cookie: "v1:statistics,userPreferences". Without one there is no consent. */
export function hasConsent(cookieHeader: string | undefined, purpose: ConsentPurpose): boolean {
  const value = /(?:^|;\s*)mm_consent=v1:([A-Za-z,]*)/.exec(cookieHeader ?? '')?.[1]
  return value !== undefined && value.split(',').includes(purpose)
}
