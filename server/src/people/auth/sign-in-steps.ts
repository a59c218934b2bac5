import type { AuthProvider } from '@purlin/contract/identity.ts'
import { findSession, sessionRole } from '#accounts'
import { hostCookie, log } from '#platform'
import {
  callbackOf,
  cookieIn,
  cookieNamesIn,
  chosenStorefront,
  newSessionCookie,
  pageUrl,
  sessionCookieFor,
  sessionIdIn,
  signedOutCookie,
  type AuthAnswer,
  type AuthRequest,
  type AuthServices,
} from './auth-request.ts'
import { authTimeOf, finishSignIn, identityOf } from './finish-sign-in.ts'
import { GrantRefused, ProviderUnavailable, newNonce, newState, newVerifier, redeemCode, signInUrl } from './identity-client.ts'
import { familyOf, redirectUriOf } from './providers.ts'
import { logRefusedSignIn } from './log-client-error.ts'
import { seal } from './secrets.ts'
import { maxTransactions, openTransaction, sealTransaction, transactionName, transactionSeconds } from './transaction-cookie.ts'
import { cookiesAfterSignIn } from './cookies-after-sign-in.ts'

/** Pages shown when a sign-in fails. */
export function errorPage({ site }: AuthRequest, error: string, callback?: string): string {
  return pageUrl(site, '/auth/error-page', { error, callbackUrl: callback })
}

export function signInPage({ site }: AuthRequest, error: string | undefined, callback: string): string {
  return pageUrl(site, '/login', { callbackUrl: site.origin + callback, error })
}

/** Redirects to the identity provider, with everything that later proves it was this browser. */
export async function startSignIn(
  { hosts }: AuthServices,
  request: AuthRequest,
  provider: AuthProvider,
  {
    register = false,
    isForgotten = false,
    isAgain = false,
    email,
  }: { register?: boolean; isForgotten?: boolean; isAgain?: boolean; email?: string | undefined } = {},
): Promise<AuthAnswer> {
  const { site } = request
  const callback = callbackOf(request)
  // A consumer account is used on the consumer storefront, a professional one on the professional storefront.
  if (familyOf(provider, site.mode) === null) {
    const other = hosts.site(site.market, site.mode === 'b2c' ? 'b2b' : 'b2c')
    return { redirect: pageUrl(other, '/login', { callbackUrl: other.origin + callback }) }
  }
  const transaction = { provider, state: newState(), nonce: newNonce(), verifier: newVerifier(), callback }
  try {
    const { state, nonce, verifier } = transaction
    const redirectUri = redirectUriOf(site, provider)
    const again = isAgain || cookieIn(request, signedOutCookie) !== ''
    const url = await signInUrl(provider, {
      redirectUri,
      state,
      nonce,
      verifier,
      language: site.language,
      register,
      isForgotten,
      email,
      again,
    })
    const sealed = await sealTransaction({ ...transaction, until: Date.now() + transactionSeconds * 1000 })
    const old = cookieNamesIn(request, 'sign-in-')
    const tooMany = old.length >= maxTransactions ? old.map((name) => hostCookie(site, name, '', 0)) : []
    return { redirect: url.href, cookies: [...tooMany, hostCookie(site, transactionName(state), sealed, transactionSeconds)] }
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    log.warn({ provider, cause: String(error.cause) }, 'the identity provider is not available for a sign-in')
    return { redirect: errorPage(request, 'OAuthSignin', callback) }
  }
}

/** Handles the callback: exchanges the code for tokens and starts the person's session. */
export async function returnFromProvider(services: AuthServices, request: AuthRequest, provider: AuthProvider): Promise<AuthAnswer> {
  const { site, query, search } = request
  const family = familyOf(provider, site.mode)
  const state = typeof query['state'] === 'string' ? query['state'] : ''
  const name = transactionName(state)
  const transaction = family && (await openTransaction(cookieIn(request, name), { state, provider, now: Date.now() }))
  if (!family || !transaction) return { redirect: signInPage(request, 'OAuthCallback', '/') }
  const { callback, nonce, verifier } = transaction
  // A code can be redeemed only once; this is the attempt.
  const used = hostCookie(site, name, '', 0)
  const failed = (error: string) => ({ redirect: errorPage(request, error, callback), cookies: [used] })
  if (query['error'] !== undefined) {
    const isChoice = query['error'] === 'access_denied' || query['error'] === 'interaction_required'
    return isChoice ? { redirect: signInPage(request, undefined, callback), cookies: [used] } : failed('OAuthCallback')
  }
  try {
    const url = new URL(redirectUriOf(site, provider) + search)
    const tokens = await redeemCode(provider, { url, state, nonce, verifier })
    const identified = identityOf(provider, tokens, site.market)
    if (!identified.ok) return failed(identified.reason)
    const sealed = {
      refreshToken: tokens.refreshToken === null ? null : await seal('token', tokens.refreshToken),
      idToken: tokens.idToken === null ? null : await seal('token', tokens.idToken),
    }
    const before = sessionIdIn(request, family)
    const guest = before === null || family === 'staff' ? null : await findSession(services.db, before, family)
    const guestSession = guest && sessionRole(guest.principal) === 'guest' ? guest.id : null
    const { identity } = identified
    const { freshUntil } = tokens
    const authenticatedAt = authTimeOf(tokens)
    const sid = typeof tokens.claims?.['sid'] === 'string' ? tokens.claims['sid'] : null
    const signedIn = await services.asCommand((scope) =>
      finishSignIn(scope, {
        provider,
        family,
        identity,
        tokens: sealed,
        freshUntil,
        authenticatedAt,
        sid,
        guestSession,
        endedSession: guestSession ? null : before,
      }),
    )
    if (!signedIn.ok) return failed(signedIn.reason)
    const session = hostCookie(site, sessionCookieFor(family), signedIn.token, 60 * 24 * 60 * 60)
    const isBack = cookieIn(request, signedOutCookie) === '' ? [] : [hostCookie(site, signedOutCookie, '', 0)]
    // Staff choose no storefront, and their sign-in is no login of a customer who uses the same browser.
    const ofCustomer =
      family === 'staff'
        ? []
        : [newSessionCookie(site), chosenStorefront(site, family), ...(await cookiesAfterSignIn(services.db, request, signedIn.token))]
    return { redirect: site.origin + callback, cookies: [used, session, ...ofCustomer, ...isBack] }
  } catch (error) {
    if (error instanceof GrantRefused) {
      logRefusedSignIn({ provider, cause: String(error.cause), agent: request.headers['user-agent'] })
      return { redirect: signInPage(request, 'OAuthCallback', callback), cookies: [used] }
    }
    if (!(error instanceof ProviderUnavailable)) throw error
    log.warn({ provider, cause: String(error.cause) }, 'the identity provider did not answer during a sign-in')
    return failed('OAuthCallback')
  }
}
