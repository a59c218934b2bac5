import { authProviders, callbackPath, isAuthProvider, type AuthProvider } from '@purlin/contract/identity.ts'
import type { Mode } from '@purlin/contract/markets.ts'
import type { SiteSettings } from '@purlin/contract/site-settings.ts'
import type { SessionFamily } from '#accounts'
import { flagValue, type FlagScope } from '#flags'
import { settings } from '#platform'
import { isWebAddress } from './callback-url.ts'

/** Ways of signing in. The shop has OAuth providers only; the other types exist in the protocol of the session service. */
export type Provider =
  | { id: AuthProvider; name: string; type: 'oauth'; isHidden?: boolean }
  | { id: string; name: string; type: 'credentials'; authorize?: unknown }
  | { id: string; name: string; type: 'email' }

export interface AuthConfiguration {
  providers: readonly Provider[]
  /** Overrides the configured secret, which is always set. */
  secret?: string
  /** Adapter methods that a provider of type email needs. */
  adapter?: Readonly<Record<string, unknown>>
}

const ours: AuthConfiguration = {
  providers: [
    { id: 'keycloak-b2c', name: 'Purlin', type: 'oauth' },
    { id: 'keycloak-b2b', name: 'Purlin Pro', type: 'oauth' },
    { id: 'keycloak', name: 'Purlin account', type: 'oauth' },
    { id: 'keycloak-staff', name: 'Purlin staff', type: 'oauth', isHidden: true },
  ],
}
let configuration = ours

/** Replaces the configuration of this process; without an argument restores our own. For tests. */
export function useAuthConfiguration(other: AuthConfiguration = ours): void {
  configuration = other
}

/** The provider of this name; null when visitors cannot be sent to it. */
export function providerOf(id: unknown): AuthProvider | null {
  return isAuthProvider(id) && configuration.providers.some((each) => each.id === id && each.type === 'oauth') ? id : null
}

/** In the form of `GET providers`. */
export function listProviders({ origin }: Pick<SiteSettings, 'origin'>): Record<string, object> {
  const shown = configuration.providers.filter((each) => each.type !== 'oauth' || !each.isHidden)
  return Object.fromEntries(
    shown.map(({ id, name, type }) => [
      id,
      { id, name, type, signinUrl: `${origin}/api/auth/signin/${id}`, callbackUrl: `${origin}/api/auth/callback/${id}` },
    ]),
  )
}

/** The flow of a storefront: its own realm, or one for both behind the flag. */
export async function providerFor(scope: FlagScope): Promise<AuthProvider> {
  if (await flagValue(scope, 'pepeUnifyAuth')) return 'keycloak'
  return scope.mode === 'b2b' ? 'keycloak-b2b' : 'keycloak-b2c'
}

/** Sites on which a sign-in with this provider is valid; null when it is not for this storefront. */
export function familyOf(provider: AuthProvider, mode: Mode): SessionFamily | null {
  const realm = authProviders[provider]
  if (realm === 'staff') return 'staff'
  return realm === 'unified' || realm === mode ? mode : null
}

export function redirectUriOf({ origin }: Pick<SiteSettings, 'origin'>, provider: AuthProvider): string {
  return origin + callbackPath(provider)
}

/** Error codes of an invalid configuration. Source: spec §8, R-604…R-610. */
export type ConfigurationError =
  | 'NO_SECRET'
  | 'MISSING_NEXTAUTH_API_ROUTE_ERROR'
  | 'INVALID_CALLBACK_URL_ERROR'
  | 'CALLBACK_CREDENTIALS_JWT_ERROR'
  | 'CALLBACK_CREDENTIALS_HANDLER_ERROR'
  | 'EMAIL_REQUIRES_ADAPTER_ERROR'
  | 'MISSING_ADAPTER_METHODS_ERROR'

const emailMethods = ['createVerificationToken', 'useVerificationToken', 'getUserByEmail']

/** The reason no request can be answered, whoever sent it; null when there is none. */
export function configurationError(request: {
  action: string
  origin: string
  callbackUrls: readonly unknown[]
}): ConfigurationError | null {
  const { providers, adapter, secret = settings().sessions.secret } = configuration
  if (secret === '') return 'NO_SECRET'
  if (request.action === '') return 'MISSING_NEXTAUTH_API_ROUTE_ERROR'
  const isWrong = (url: unknown) => url !== undefined && url !== '' && (typeof url !== 'string' || !isWebAddress(url, request.origin))
  if (request.callbackUrls.some(isWrong)) return 'INVALID_CALLBACK_URL_ERROR'
  // Sessions are database rows here, which a configuration with credentials providers only cannot use.
  if (providers.length > 0 && providers.every(({ type }) => type === 'credentials')) return 'CALLBACK_CREDENTIALS_JWT_ERROR'
  if (providers.some((each) => each.type === 'credentials' && !each.authorize)) return 'CALLBACK_CREDENTIALS_HANDLER_ERROR'
  if (!providers.some(({ type }) => type === 'email')) return null
  if (!adapter) return 'EMAIL_REQUIRES_ADAPTER_ERROR'
  return emailMethods.every((method) => method in adapter) ? null : 'MISSING_ADAPTER_METHODS_ERROR'
}
