import {
  authProviders,
  freshSignInSeconds,
  identityClientId,
  identityScope,
  isAuthProvider,
  issuerOf,
  type AuthProvider,
} from '@purlin/contract/identity.ts'
import type { Language } from '@purlin/contract/markets.ts'
import type { JSONWebKeySet } from 'jose'
import * as client from 'openid-client'
import * as v from 'valibot'
import { settings } from '#platform'
import { backChannelFetch } from './back-channel.ts'

/** The identity provider, through OpenID Connect. Every call may take seconds, and may fail. */

const timeoutSeconds = 3
/** A refresh token in flight may already be used up: its response is awaited even though the caller is answered sooner. */
const refreshTimeoutSeconds = 20
/** Long enough for a burst to share one lookup, short enough to notice an outage or new keys. */
const keptMs = 3000

/** How far the provider's clock may be from ours; also the client library's. */
const clockToleranceSeconds = 30

export class ProviderUnavailable extends Error {}
/** The provider rejects this code or refresh token. */
export class GrantRefused extends Error {}

export interface Tokens {
  issuer: string
  claims: Readonly<Record<string, unknown>> | undefined
  refreshToken: string | null
  idToken: string | null
  freshUntil: Date | null
}

export interface SignInRequest {
  redirectUri: string
  state: string
  nonce: string
  verifier: string
  language: Language
  register: boolean
  /** The page for a forgotten password comes first. */
  isForgotten: boolean
  /** Prefills the form; the provider verifies it all the same. */
  email: string | undefined
  /** Requires the password even if the provider has a session. */
  again: boolean
}

const known = new Map<string, { at: number; configuration: Promise<client.Configuration> }>()

/** The provider's discovery document, cached for a few seconds. */
async function configurationOf(provider: AuthProvider, timeout = timeoutSeconds): Promise<client.Configuration> {
  const key = `${provider} ${timeout}`
  const kept = known.get(key)
  if (kept && Date.now() - kept.at < keptMs) return kept.configuration
  const { url, clientSecret } = settings().identity
  const configuration = client
    .discovery(
      new URL(issuerOf(url, authProviders[provider])),
      identityClientId,
      undefined,
      clientSecret ? client.ClientSecretBasic(clientSecret) : client.None(),
      {
        // Signatures are verified although the tokens come straight from the provider: the connection may be plain http.
        execute: [client.enableNonRepudiationChecks, ...(url.startsWith('http:') ? [client.allowInsecureRequests] : [])],
        timeout,
        [client.customFetch]: backChannelFetch,
      },
    )
    .then(async (found) => withKeys(found, timeout))
    .catch((error: unknown) => {
      if (known.get(key)?.configuration === configuration) known.delete(key)
      throw unavailable(error)
    })
  known.set(key, { at: Date.now(), configuration })
  return configuration
}

/** Old enough that a key which is not among them is looked for again at once. */
const ageOfKeysSeconds = 61

/**
 * Fetches the provider's keys before anything is redeemed: a code or refresh token whose response cannot be verified is lost. A key the
 * provider begins to use while this configuration is cached is fetched when its first token comes.
 */
async function withKeys(configuration: client.Configuration, timeout: number): Promise<client.Configuration> {
  const { jwks_uri: address } = configuration.serverMetadata()
  if (address === undefined) throw new ProviderUnavailable('The identity provider names no keys')
  const headers = { accept: 'application/json' }
  const response = await backChannelFetch(address, { method: 'GET', headers, signal: AbortSignal.timeout(timeout * 1000) })
  const jwks = v.parse(keySet, await response.json())
  client.setJwksCache(configuration, { jwks, uat: Math.floor(Date.now() / 1000) - ageOfKeysSeconds })
  return configuration
}

/** The provider's public keys, at most a few seconds old. @throws ProviderUnavailable */
export async function keysOf(provider: AuthProvider): Promise<JSONWebKeySet> {
  const cache = client.getJwksCache(await configurationOf(provider))
  if (!cache) throw new ProviderUnavailable('The identity provider names no keys')
  return cache.jwks
}

const keySet = v.object({ keys: v.array(v.looseObject({ kty: v.string() })) })

/** The address at which a person signs in. @throws ProviderUnavailable */
export async function signInUrl(provider: AuthProvider, request: SignInRequest): Promise<URL> {
  const configuration = await configurationOf(provider)
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: request.redirectUri,
    scope: identityScope,
    response_type: 'code',
    state: request.state,
    nonce: request.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(request.verifier),
    code_challenge_method: 'S256',
    ui_locales: request.language,
    ...(request.register ? { prompt: 'create' } : request.again && { prompt: 'login' }),
    // With a maximum age, every provider tells when the person proved who they are.
    ...(request.again && { max_age: String(freshSignInSeconds) }),
    ...(request.isForgotten && { purlin_step: 'forgotten', prompt: 'login' }),
    ...(request.email && { login_hint: request.email }),
  })
}

export interface Returned {
  /** Our own address with the parameters the provider added. */
  url: URL
  state: string
  nonce: string
  verifier: string
}

/** The tokens for a code. @throws ProviderUnavailable, GrantRefused */
export async function redeemCode(provider: AuthProvider, { url, state, nonce, verifier }: Returned): Promise<Tokens> {
  const configuration = await configurationOf(provider)
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
  const answer = await client.authorizationCodeGrant(configuration, url, checks).catch((error: unknown) => {
    throw isNoAnswer(error) ? unavailable(error) : new GrantRefused('The code was not accepted', { cause: error })
  })
  const { iat = 0, azp = identityClientId } = answer.claims() ?? {}
  // The client library checks neither the time, nor the party of a token for one audience.
  if (iat > Date.now() / 1000 + clockToleranceSeconds) throw new GrantRefused('The ID token was issued in the future')
  if (azp !== identityClientId) throw new GrantRefused('The ID token was issued to another client')
  return tokensOf(configuration, answer)
}

/** New tokens for a refresh token, which is thereby consumed. @throws ProviderUnavailable, GrantRefused */
export async function redeemRefreshToken(provider: AuthProvider, refreshToken: string): Promise<Tokens> {
  const configuration = await configurationOf(provider, refreshTimeoutSeconds)
  return tokensOf(
    configuration,
    await client.refreshTokenGrant(configuration, refreshToken).catch((error: unknown) => {
      // Only an explicit refusal counts: anything else may be an outage, which must not sign anybody out.
      if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant')
        throw new GrantRefused('The refresh token was not accepted', { cause: error })
      throw unavailable(error)
    }),
  )
}

/**
 * Ends a sign-in at the provider by its refresh token, a back-channel call that Keycloak has too: the token and the
 * browser's session there, so that the next sign-in requires the password. @throws ProviderUnavailable
 */
export async function endAtProvider(provider: AuthProvider, refreshToken: string): Promise<void> {
  const configuration = await configurationOf(provider)
  const { end_session_endpoint: endpoint } = configuration.serverMetadata()
  if (!endpoint) return
  const { clientSecret = '' } = settings().identity
  const body = new URLSearchParams({ client_id: identityClientId, client_secret: clientSecret, refresh_token: refreshToken })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const signal = AbortSignal.timeout(timeoutSeconds * 1000)
  const { status } = await backChannelFetch(endpoint, { method: 'POST', headers, body, signal }).catch((error: unknown) => {
    throw unavailable(error)
  })
  // 400: the token belongs to no session any more.
  if (status !== 204 && status !== 400) throw new ProviderUnavailable(`The sign-out was answered with ${status}`)
}

/** The provider with this issuer; undefined for one that is no longer ours. */
export function providerOfIssuer(issuer: string): AuthProvider | undefined {
  const { url } = settings().identity
  return Object.keys(authProviders)
    .filter(isAuthProvider)
    .find((each) => issuerOf(url, authProviders[each]) === issuer)
}

/**
 * Deletes an account at the provider, by Keycloak's admin API: the client's service account needs the role `manage-users`
 * there. An account that is gone already counts as deleted, as does one of a provider that is no longer ours.
 * @throws ProviderUnavailable
 */
export async function removeAccount(issuer: string, subject: string): Promise<void> {
  const provider = providerOfIssuer(issuer)
  if (!provider) return
  const admin = await adminOf(provider)
  const { status } = await admin('DELETE', `users/${encodeURIComponent(subject)}`)
  if (status !== 204 && status !== 404) throw new ProviderUnavailable(`The deletion of an account was answered with ${status}`)
}

export type AdminCall = (method: 'DELETE' | 'GET' | 'PUT', path: string, body?: object) => Promise<Response>

/** Keycloak's admin API of a realm, with the rights of the shop's service account. @throws ProviderUnavailable */
export async function adminOf(provider: AuthProvider): Promise<AdminCall> {
  const configuration = await configurationOf(provider)
  const { access_token: token } = await client.clientCredentialsGrant(configuration).catch((error: unknown) => {
    throw unavailable(error)
  })
  const base = `${settings().identity.url}/admin/realms/${authProviders[provider]}`
  return (method, path, body) =>
    backChannelFetch(`${base}/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
    }).catch((error: unknown) => {
      throw unavailable(error)
    })
}

/** Whether somebody knows the password of an account, by a grant that needs no page. @throws ProviderUnavailable */
export async function knowsPassword(provider: AuthProvider, username: string, password: string): Promise<boolean> {
  const configuration = await configurationOf(provider)
  return client.genericGrantRequest(configuration, 'password', { username, password, scope: 'openid' }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') return false
      throw unavailable(error)
    },
  )
}

/** Where the provider ends its own session and redirects back; null when it is unavailable or has no such endpoint. */
export async function signOutUrl(provider: AuthProvider, idToken: string | null, backTo: string): Promise<URL | null> {
  const configuration = await configurationOf(provider).catch(() => null)
  if (!configuration?.serverMetadata().end_session_endpoint) return null
  return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: backTo, ...(idToken && { id_token_hint: idToken }) })
}

export const newVerifier: () => string = client.randomPKCECodeVerifier
export const newState: () => string = client.randomState
export const newNonce: () => string = client.randomNonce

function tokensOf(configuration: client.Configuration, answer: Awaited<ReturnType<typeof client.refreshTokenGrant>>): Tokens {
  const seconds = answer.expiresIn()
  return {
    issuer: configuration.serverMetadata().issuer,
    claims: answer.claims(),
    refreshToken: answer.refresh_token ?? null,
    idToken: answer.id_token ?? null,
    freshUntil: seconds === undefined ? null : new Date(Date.now() + seconds * 1000),
  }
}

function unavailable(error: unknown): ProviderUnavailable {
  return error instanceof ProviderUnavailable ? error : new ProviderUnavailable('The identity provider did not answer', { cause: error })
}

/** No valid OAuth response: connection refused, timeout, 5xx, an HTML page. */
function isNoAnswer(error: unknown): boolean {
  if (error instanceof ProviderUnavailable || error instanceof TypeError) return true
  const code = (error as { code?: string }).code ?? ''
  return ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_PARSE_ERROR', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_RESPONSE_IS_NOT_CONFORM'].includes(code)
}
