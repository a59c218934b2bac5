/** Names agreed between the shop and the identity provider. Source: spec §3 (auth providers), decision of the identity provider. */

/** User populations, each with its own issuer: `${IDENTITY_URL}/realms/{realm}`. */
export const realms = ['b2c', 'b2b', 'unified', 'staff'] as const
export type Realm = (typeof realms)[number]

/** Auth providers of the shop's session, by realm. */
export const authProviders = {
  'keycloak-b2c': 'b2c',
  'keycloak-b2b': 'b2b',
  keycloak: 'unified',
  'keycloak-staff': 'staff',
} as const satisfies Record<string, Realm>
export type AuthProvider = keyof typeof authProviders

/** The shop as a client of the identity provider. */
export const identityClientId = 'purlin-shop'
export const identityScope = 'openid profile email'

/** Maximum age of a sign-in that may change credentials, download the person's data or erase it. */
export const freshSignInSeconds = 15 * 60

/** The call after which a signed-in person proves again who they are, and comes back to the given page. */
export function signInAgainPath(callbackUrl: string): string {
  return `/api/auth/pre-login?${new URLSearchParams({ step: 'again', callbackUrl })}`
}

/** Redirect addresses on each host of the shop. */
export function callbackPath(provider: AuthProvider): string {
  return `/api/auth/callback/${provider}`
}

/** Address of back-channel logouts, for a provider other than the embedded one. */
export const backChannelLogoutPath = '/webhooks/identity'

export function issuerOf(identityUrl: string, realm: Realm): string {
  return `${identityUrl}/realms/${realm}`
}

export function isRealm(value: unknown): value is Realm {
  return typeof value === 'string' && (realms as readonly string[]).includes(value)
}

/** Claims about a person, in the ID token and at the userinfo endpoint. */
export interface IdentityClaims {
  /** A UUID, unique within its realm; (issuer, sub) identifies a person, an e-mail address does not. */
  sub: string
  email: string
  email_verified: boolean
  name: string
  given_name: string
  family_name: string
  /** BCP 47: "fr-FR". */
  locale: string
  /** Realms b2b and unified, for professionals. */
  company_name?: string
  trade?: string
  vat_number?: string
  /** Number in the company register, of a business without a VAT number. */
  register_number?: string
  professional_role?: string
}

/** Trades a professional may state at registration. */
export const trades = ['builder', 'carpenter', 'electrician', 'gardener', 'painter', 'plumber', 'roofer', 'tiler', 'other'] as const
export type Trade = (typeof trades)[number]

/** A professional's role in the company. */
export const professionalRoles = ['owner', 'buyer', 'site-manager', 'accountant', 'employee'] as const
export type ProfessionalRole = (typeof professionalRoles)[number]

export function isAuthProvider(value: unknown): value is AuthProvider {
  return typeof value === 'string' && Object.hasOwn(authProviders, value)
}

/** Maximum length of a given name, and of a family name. */
export const maxNameLength = 60
