import { isEmail } from '@purlin/contract/email.ts'
import { customerIdOf, emailOf, findSession, sessionRole, startSessionLike, type Session } from '#accounts'
import { hostCookie, requireQuota, type JobScope } from '#platform'
import type { Mode } from '@purlin/contract/markets.ts'
import { webviewPrefix } from '@purlin/contract/public-addresses.ts'
import type { SiteSettings } from '@purlin/contract/site-settings.ts'
import { endSessionOf } from './auth-actions.ts'
import {
  callbackOf,
  chosenStorefront,
  cookieIn,
  newSessionCookie,
  pageUrl,
  sessionCookieFor,
  sessionIdIn,
  type AuthAnswer,
  type AuthRequest,
  type AuthServices,
} from './auth-request.ts'
import { followGuest } from './finish-sign-in.ts'
import { signOutUrl } from './identity-client.ts'
import { mayGoOn } from './overdue-session.ts'
import { providerFor } from './providers.ts'
import { digest, isSecret, newSecret, unseal } from './secrets.ts'
import { signInPage, startSignIn } from './sign-in-steps.ts'
import { insertExchangeToken, redeemExchangeToken } from './store.ts'
import { cookiesAfterSignIn } from './cookies-after-sign-in.ts'

/** Session calls beyond next-auth's own. */

/** Signs out here and at the identity provider, with `everywhere=true` on all devices; `no_redirect=true` answers without a redirect. */
export async function logout(services: AuthServices, request: AuthRequest): Promise<AuthAnswer> {
  const { site, method, body, query } = request
  // A link must not sign anybody out: its page asks for confirmation with a form.
  if (method === 'GET') return { redirect: pageUrl(site, '/auth/pre-logout') }
  const isEverywhere = (body['everywhere'] ?? query['everywhere']) === 'true'
  const { cookies, token } = await endSessionOf(services, request, { isEverywhere })
  if ((body['no_redirect'] ?? query['no_redirect']) === 'true') return { status: 200, body: { ok: true }, cookies }
  const home = `${site.origin}/`
  const idToken = token?.idToken ? await unseal('token', token.idToken) : null
  const url = token ? await signOutUrl(token.provider, idToken, home) : null
  return { redirect: url?.href ?? home, cookies }
}

/** Opens the identity provider's form for a new account. */
export async function register(services: AuthServices, request: AuthRequest): Promise<AuthAnswer> {
  // Prefills what a guest has already entered; it proves nothing until the provider has verified it.
  const typed = request.body['email'] ?? request.query['email']
  const email = typeof typed === 'string' && isEmail(typed) ? typed : undefined
  return startSignIn(services, request, await providerFor({ ...request.site, db: services.db }), { register: true, email })
}

/** The header in which an app passes on a token. */
export const exchangeTokenHeader = 'x-exchange-token'
const cookieName = 'exchange'

/**
 * Transfers the session between the two storefronts of a market, and into an app's webview. A token is bound to one
 * session and one host, single-use, and valid for a minute; one in an address is accepted only from the browser that
 * requested it, which holds the secret of the token's challenge, and never replaces another person. (R-522, R-523, R-535, A34, A35)
 */
export async function exchange(mode: Mode, services: AuthServices, request: AuthRequest): Promise<AuthAnswer> {
  const answer = await exchangeStep(mode, services, request)
  if (request.method === 'POST') return answer
  return { ...answer, cookies: [...(answer.cookies ?? []), chosenStorefront(request.site, mode)] }
}

async function exchangeStep(mode: Mode, services: AuthServices, request: AuthRequest): Promise<AuthAnswer> {
  const { site, method, query, headers } = request
  const target = services.hosts.site(site.market, mode)
  const isTarget = site.mode === mode
  if (method === 'POST') {
    const given = headers[exchangeTokenHeader]
    if (typeof given === 'string') return isTarget ? redeem(services, request, { token: given, challenge: null }) : { status: 400 }
    return mintForApp(services, request, target)
  }
  const { challenge, token } = query
  if (!isTarget)
    return typeof challenge === 'string'
      ? mintForBrowser(services, request, target, challenge)
      : { redirect: hereAt(target, mode, request) }
  if (typeof token === 'string') return redeemInBrowser(services, request, token)
  const secret = newSecret()
  const source = services.hosts.site(site.market, mode === 'b2b' ? 'b2c' : 'b2b')
  const back = pageUrl(source, pathOf(mode), { challenge: digest(secret), callbackUrl: callbackOf(request) })
  return { redirect: back, cookies: [hostCookie(site, cookieName, secret, 120)] }
}

/**
 * The app's first page: with a token in the header its session begins here, then the visitor goes on below `/webview`. An
 * address never carries the token: it would be in logs, and anybody's link could sign a visitor in.
 */
export async function openWebview(services: AuthServices, request: AuthRequest): Promise<AuthAnswer> {
  const { site, headers } = request
  const path = callbackOf(request)
  const target = path.startsWith(`${webviewPrefix}/`) || path === webviewPrefix ? path : webviewPrefix + path
  const given = headers[exchangeTokenHeader]
  if (typeof given !== 'string') return { redirect: site.origin + target }
  const { status = 200, cookies } = await redeem(services, request, { token: given, challenge: null })
  return status === 200
    ? { redirect: site.origin + target, cookies }
    : { redirect: pageUrl(site, `${webviewPrefix}/login`, { callbackUrl: target }) }
}

function pathOf(mode: Mode): string {
  return mode === 'b2b' ? '/api/v1/exchange-to-pro' : '/api/v1/exchange-to-b2c'
}

function hereAt(target: SiteSettings, mode: Mode, request: AuthRequest): string {
  return pageUrl(target, pathOf(mode), { callbackUrl: callbackOf(request) })
}

/** The request's session, if it is signed in. */
async function signedInSession({ db }: AuthServices, request: AuthRequest): Promise<Session | null> {
  const id = sessionIdIn(request)
  const found = id === null ? null : await findSession(db, id, request.site.mode)
  if (!found || sessionRole(found.principal) === 'guest') return null
  return found.overdue === null || (await mayGoOn(db, found.overdue)) ? found : null
}

/** A new token for the session; sessions made of such tokens must not fill the database. @throws TooManyError */
async function mint({ db }: AuthServices, session: Session, target: SiteSettings, challenge: string | null): Promise<string> {
  await requireQuota('exchange', { customer: customerIdOf(session) })
  const token = newSecret()
  await insertExchangeToken(db, { id: digest(token), sessionId: session.id, targetHost: target.host, challenge })
  return token
}

async function mintForApp(services: AuthServices, request: AuthRequest, target: SiteSettings): Promise<AuthAnswer> {
  const session = await signedInSession(services, request)
  if (!session) return { status: 401, body: { message: 'Nobody is signed in' } }
  const token = await mint(services, session, target, null)
  return { status: 201, body: { token, header: exchangeTokenHeader, origin: target.origin } }
}

async function mintForBrowser(services: AuthServices, request: AuthRequest, target: SiteSettings, challenge: string): Promise<AuthAnswer> {
  const callbackUrl = callbackOf(request)
  const session = await signedInSession(services, request)
  // No session to transfer, or a challenge that every browser without the cookie meets: the visitor signs in on the target host.
  if (!session || !isSecret(challenge) || challenge === digest(''))
    return { redirect: pageUrl(target, '/login', { callbackUrl: target.origin + callbackUrl }) }
  const token = await mint(services, session, target, challenge)
  return { redirect: pageUrl(target, pathOf(target.mode), { token, callbackUrl }) }
}

/** Starts the customer's session here, and merges what this browser's guest has collected here. */
async function carryOver(scope: JobScope, request: AuthRequest, { sessionId, family }: { sessionId: string; family: 'b2c' | 'b2b' }) {
  const started = await startSessionLike(scope.db, sessionId, family)
  const before = sessionIdIn(request, family)
  if (!started || before === null) return started
  const [guest, customer] = [await findSession(scope.db, before, family), await findSession(scope.db, started.id, family)]
  if (!guest || sessionRole(guest.principal) !== 'guest') return started
  const [id, email] = customer ? [customerIdOf(customer), emailOf(customer)] : [null, null]
  if (id === null || email === null) return started
  await followGuest(scope, guest.id, { into: `c:${id}`, storefront: family, email })
  return started
}

/** A token in an address: without the cookie of the request for it, it is somebody else's link. */
async function redeemInBrowser(services: AuthServices, request: AuthRequest, token: string): Promise<AuthAnswer> {
  const secret = cookieIn(request, cookieName)
  return isSecret(secret)
    ? redeem(services, request, { token, challenge: digest(secret) })
    : { redirect: signInPage(request, undefined, callbackOf(request)) }
}

/** Whether another person than the session's owner is signed in here. */
async function isAnother(services: AuthServices, request: AuthRequest, sessionId: string): Promise<boolean> {
  const present = await signedInSession(services, request)
  if (!present) return false
  const owner = await findSession(services.db, sessionId, request.site.mode === 'b2b' ? 'b2c' : 'b2b')
  return owner !== null && customerIdOf(owner) !== customerIdOf(present)
}

async function redeem(
  services: AuthServices,
  request: AuthRequest,
  { token, challenge }: { token: string; challenge: string | null },
): Promise<AuthAnswer> {
  const { site } = request
  const callback = callbackOf(request)
  const used = hostCookie(site, cookieName, '', 0)
  const family = site.mode
  const sessionId = await redeemExchangeToken(services.db.alone, { id: digest(token), targetHost: site.host, challenge })
  // A person signed in on this host stays signed in until they sign out.
  if (challenge !== null && sessionId !== undefined && (await isAnother(services, request, sessionId)))
    return { redirect: site.origin + callback, cookies: [used] }
  const started = sessionId === undefined ? null : await services.asCommand((scope) => carryOver(scope, request, { sessionId, family }))
  if (!started)
    return challenge === null
      ? { status: 401, body: { message: 'The exchange token is not valid' } }
      : { redirect: signInPage(request, undefined, callback), cookies: [used] }
  const session = hostCookie(site, sessionCookieFor(family), started.token, 60 * 24 * 60 * 60)
  const cookies = [used, session, newSessionCookie(site), ...(await cookiesAfterSignIn(services.db, request, started.token))]
  return challenge === null ? { body: { ok: true }, cookies } : { redirect: site.origin + callback, cookies }
}
