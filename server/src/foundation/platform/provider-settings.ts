export interface IdentitySettings {
  /** Whether to run the embedded provider; otherwise a Keycloak is at `url`. */
  isEmbedded: boolean
  /** Base address for browsers, from which the issuers derive (contract/src/identity.ts). */
  url: string
  /** Where the shop's own processes reach it: only browsers resolve names below localhost. */
  internalUrl: string
  /** Undefined only if no supervisor has passed on the one stored in the database. */
  clientSecret: string | undefined
  /** Encrypts second-factor secrets of the embedded provider. */
  dataKey: string
  /** Range API of breached passwords for the embedded provider. */
  breachedPasswordsUrl: string | undefined
}

export interface VatSettings {
  /** Run the embedded registers: one of the two is not named by the settings. */
  isEmbedded: boolean
  viesUrl: string
  hmrcUrl: string
  hmrcClient: { clientId: string; clientSecret: string }
}

/** An aggregator of carriers, or the embedded carrier that speaks its API; none on real domains without an address. */
export type CarrierSettings = { kind: 'none' } | { kind: 'embedded' | 'aggregator'; url: string; apiKey: string; webhookSecret: string }
