import {
  callbackOf,
  csrfTokenFor,
  hasCsrfToken,
  pageUrl,
  sessionCookieFor,
  sessionIdIn,
  signedOutCookie,
  type AuthAnswer,
  type AuthRequest,
  type AuthServices,
} from './auth-request.ts'
import { customerIdOf, findSession, renewSession, type SessionFamily } from '#accounts'
import { authProviders, issuerOf, type AuthProvider } from '@purlin/contract/identity.ts'
import { hostCookie, log, settings, type JobScope } from '#platform'
import { endNow, signOut, signOutEverywhere, type EndedSignIn } from './end-session.ts'
import { logClientError, logRefused } from './log-client-error.ts'
import { configurationError, listProviders, providerFor, providerOf } from './providers.ts'
import { mayGoOn } from './overdue-session.ts'
import { cookiesOfCustomer } from './ports.ts'
import { missingToken, refreshSession } from './refresh-session.ts'
import { sessionAnswer } from './show-session.ts'
import type { SealedTokens } from './store.ts'
import { errorPage, returnFromProvider, signInPage, startSignIn } from './sign-in-steps.ts'

/** Errors shown on the sign-in page; every other error has a page of its own. */
const errorsOfSignIn = new Set(['Signin', 'OAuthSignin', 'OAuthCallback', 'Callback', 'OAuthAccountNotLinked', 'SessionRequired'])
const pages = new Set(['signin', 'signout', 'error', 'verify-request', 'pre-login'])

/** Errors that a request brings about, whoever sends it; the others are the operator's. */
const faultsOfCallers = new Set<string>(['INVALID_CALLBACK_URL_ERROR', 'MISSING_NEXTAUTH_API_ROUTE_ERROR'])

/** All requests below `/api/auth`. Source: spec §7, R-536…R-543. */
export async function answerAuth(services: AuthServices, request: AuthRequest, [action = '', id]: readonly string[]): Promise<AuthAnswer> {
  const { site, method, query, body } = request
  const callbackUrls = [query['callbackUrl'], body['callbackUrl']]
  const problem = configurationError({ action, origin: site.origin, callbackUrls })
  if (problem) {
    const isOfCaller = faultsOfCallers.has(problem)
    if (isOfCaller) logRefused({ code: problem, action })
    else log.error({ code: problem, action }, 'a request to the session service cannot be answered')
    if (method === 'GET' && pages.has(action)) return { redirect: errorPage(request, 'Configuration') }
    return { status: isOfCaller ? 400 : 500, body: { message: `There is a problem with the request or the configuration: ${problem}` } }
  }
  const answer = method === 'GET' ? await answerGet(services, request, action, id) : await answerPost(services, request, action, id)
  return answer ?? { status: 400, body: { message: `The action "${action.slice(0, 40)}" is not there for ${method}` } }
}

async function answerGet(services: AuthServices, request: AuthRequest, action: string, id: string | undefined): Promise<AuthAnswer | null> {
  const { site, query } = request
  const error = typeof query['error'] === 'string' ? query['error'].slice(0, 60) : undefined
  switch (action) {
    case 'session':
      return getSession(services, request)
    case 'csrf': {
      const { token, cookies } = csrfTokenFor(request)
      return { body: { csrfToken: token }, cookies }
    }
    case 'providers':
      return { body: listProviders(site) }
    case 'signin':
      return { redirect: signInPage(request, error, callbackOf(request)) }
    case 'signout':
      return { redirect: pageUrl(site, '/auth/pre-logout') }
    case 'pre-login': {
      const provider = query['provider'] === undefined ? await providerFor({ ...site, db: services.db }) : providerOf(query['provider'])
      if (!provider) return { redirect: signInPage(request, undefined, callbackOf(request)) }
      if (query['step'] === 'again') return signInAgain(services, request, provider)
      return startSignIn(services, request, provider, { isForgotten: query['step'] === 'forgotten' })
    }
    case 'account':
      return accountPage(services, request)
    case 'callback': {
      const provider = providerOf(id)
      return provider ? returnFromProvider(services, request, provider) : null
    }
    case 'error':
      return {
        redirect:
          error && errorsOfSignIn.has(error) ? signInPage(request, error, callbackOf(request)) : errorPage(request, error ?? 'Default'),
      }
    case 'verify-request':
      return { redirect: errorPage(request, 'Verification') }
    default:
      return null
  }
}

async function answerPost(
  services: AuthServices,
  request: AuthRequest,
  action: string,
  id: string | undefined,
): Promise<AuthAnswer | null> {
  const { site } = request
  const provider = providerOf(id)
  const refused = (page: string) => ({ redirect: pageUrl(site, `/api/auth/${page}`, { csrf: 'true' }) })
  switch (action) {
    case 'signin':
      return hasCsrfToken(request) && provider ? startSignIn(services, request, provider) : refused('signin')
    case 'callback':
      // Providers return with GET; a POST carries no code.
      return hasCsrfToken(request) && provider ? { redirect: signInPage(request, 'OAuthCallback', callbackOf(request)) } : refused('signin')
    case 'signout': {
      if (!hasCsrfToken(request)) return refused('signout')
      const { cookies } = await endSessionOf(services, request)
      return { redirect: site.origin + callbackOf(request), cookies }
    }
    case 'session':
      return hasCsrfToken(request) ? updateSession(services, request) : { status: 400 }
    case '_log':
      logClientError(request.body)
      return {}
    default:
      return null
  }
}

/** The signed-in person proves again who they are, before something that an open session alone must not do. */
async function signInAgain(services: AuthServices, request: AuthRequest, fallback: AuthProvider): Promise<AuthAnswer> {
  const family = officeOf(request)
  const { answer } = await sessionAnswer(services.db.reads, sessionIdIn(request, family), family)
  if (!('user' in answer)) return startSignIn(services, request, fallback)
  const email = answer.user.email ?? undefined
  return startSignIn(services, request, providerOf(answer.provider) ?? fallback, { isAgain: true, email })
}

/** Pages of the account at the identity provider: the embedded one's, and Keycloak's account console. */
const accountPages = {
  email: ['/email', '/'],
  password: ['/password', '/#/account-security/signing-in'],
  overview: ['', '/#/account-security/device-activity'],
} as const

async function accountPage({ db }: AuthServices, request: AuthRequest): Promise<AuthAnswer> {
  const { site, query } = request
  const family = officeOf(request)
  const session = (await sessionAnswer(db.reads, sessionIdIn(request, family), family)).session
  const provider =
    session?.provider ?? (family === 'staff' ? 'keycloak-staff' : await providerFor({ market: site.market, mode: family, db }))
  const { url, isEmbedded } = settings().identity
  const [embedded, keycloak] = accountPages[query['page'] === 'email' || query['page'] === 'password' ? query['page'] : 'overview']
  const account = `${issuerOf(url, authProviders[provider])}/account`
  const shop = new URLSearchParams({ shop: site.origin, ui_locales: site.language })
  return { redirect: isEmbedded ? `${account}${embedded}?${shop}` : `${account}${keycloak}` }
}

const officeOf = ({ query, site }: AuthRequest) => (query['office'] === 'staff' ? 'staff' : site.mode)

async function getSession({ db }: AuthServices, request: AuthRequest): Promise<AuthAnswer> {
  const family = officeOf(request)
  const id = sessionIdIn(request, family)
  const { answer, session } = await sessionAnswer(db.reads, id, family)
  if (session?.isDoubted && session.error === null && session.signInId !== null) {
    await mayGoOn(db, session.signInId)
    return { body: (await sessionAnswer(db, id, family)).answer }
  }
  // The response comes first: a slow or unavailable provider delays nobody.
  if (session?.isOverdue && session.error === null && session.signInId !== null) void mayGoOn(db, session.signInId)
  const customerId = session?.error === null ? customerIdOf(session) : null
  return { body: answer, cookies: family === 'staff' ? [] : await cookiesOfCustomer(db, request, customerId) }
}

/** `data.type` is `refresh` for new tokens, `role` after a change of a person's company. */
async function updateSession(services: AuthServices, request: AuthRequest): Promise<AuthAnswer> {
  const family = officeOf(request)
  const id = sessionIdIn(request, family)
  const found = await sessionAnswer(services.db, id, family)
  const { data } = request.body
  const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined
  if (!found.session || found.session.error !== null || !('user' in found.answer)) return { body: found.answer }
  if (type === 'refresh') {
    const { signInId } = found.session
    const outcome = signInId === null ? missingToken : await refreshSession(services.db, signInId)
    const { answer } = await sessionAnswer(services.db, id, family)
    return { body: outcome === missingToken ? { ...answer, error: missingToken } : answer }
  }
  if (type !== 'role') return { body: found.answer }
  const { isOverdue, signInId } = found.session
  if (isOverdue && signInId !== null && !(await mayGoOn(services.db, signInId)))
    return { body: (await sessionAnswer(services.db, id, family)).answer }
  // After a change of permissions the old id is worthless.
  const { id: before } = found.session
  const { id: after, token } = await services.asCommand((scope) => renewSession(scope.db, before, family))
  const { answer } = await sessionAnswer(services.db, after, family)
  return { body: answer, cookies: [hostCookie(request.site, sessionCookieFor(family), token, 60 * 24 * 60 * 60)] }
}

/** Ends the request's session and those of the same sign-in, or all of the person's; returns the cookies that clear it, and the tokens. */
export async function endSessionOf(
  services: AuthServices,
  request: AuthRequest,
  { isEverywhere = false } = {},
): Promise<{ cookies: string[]; token: SealedTokens | null }> {
  const family = officeOf(request)
  const id = sessionIdIn(request, family)
  const { own: token, others } =
    id === null ? { own: null, others: [] } : await services.asCommand((scope) => end(scope, id, family, isEverywhere))
  await endNow(services.db, token ? [token, ...others] : others)
  const cookies = [
    hostCookie(request.site, sessionCookieFor(family), '', 0),
    ...(family === 'staff' ? [] : await cookiesOfCustomer(services.db, request, null)),
  ]
  return { cookies: token ? [...cookies, hostCookie(request.site, signedOutCookie, '1', 60 * 24 * 60 * 60)] : cookies, token }
}

/** The sign-in of a session, and the person's others if all are to end. */
interface Ended {
  own: EndedSignIn | null
  others: EndedSignIn[]
}

async function end(scope: JobScope, id: string, family: SessionFamily, isEverywhere: boolean): Promise<Ended> {
  const person = isEverywhere ? (await findSession(scope.db, id, family))?.principal : undefined
  const own = await signOut(scope, id)
  const isCustomer = person?.kind === 'customer' || person?.kind === 'member'
  const isStaff = person?.kind === 'operator' || person?.kind === 'sellerMember'
  if (!isCustomer && !isStaff) return { own, others: [] }
  const who = isCustomer ? { customerId: person.id } : { staffId: person.id }
  return { own, others: await signOutEverywhere(scope.db, who, { isWaiting: true }) }
}
