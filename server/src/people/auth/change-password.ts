import type { CredentialsRefusal } from '@purlin/contract/credentials.ts'
import { decodeJwt } from 'jose'
import { randomUUID } from 'node:crypto'
import { customerIdOf, emailOf, renewSession, type ShownSession } from '#accounts'
import { securityChangeMail } from '#identity'
import { sendMail } from '#mail'
import { hostCookie, type JobScope } from '#platform'
import { sessionCookieFor, sessionIdIn, type AuthAnswer, type AuthRequest, type AuthServices } from './auth-request.ts'
import { signOutElsewhere } from './end-session.ts'
import { ProviderUnavailable } from './identity-client.ts'
import { mayGoOn } from './overdue-session.ts'
import { changePasswordAt } from './password-at-provider.ts'
import { unseal } from './secrets.ts'
import { sessionAnswer } from './show-session.ts'
import { readIdToken } from './store.ts'

const statusOf: Partial<Record<CredentialsRefusal['reason'], number>> = { locked: 429, unavailable: 503 }
const sessionSeconds = 60 * 24 * 60 * 60

/**
 * Changes the password of a signed-in customer, who knows the current one: the identity provider decides, all other devices are signed
 * out, this one gets a new session id, and a mail says so. A script gets a status, a form is led back to the page.
 */
export async function changePassword(services: AuthServices, request: AuthRequest): Promise<AuthAnswer> {
  const { site, body } = request
  const answer = (refusal: CredentialsRefusal | null, cookies: string[] = []): AuthAnswer => {
    if (body['json'] === true)
      return refusal ? { status: statusOf[refusal.reason] ?? 422, body: refusal } : { status: 200, body: { ok: true }, cookies }
    if (!refusal) return { redirect: `${site.origin}/settings`, cookies: [...cookies, changedFlash(site.origin)] }
    const { reason, minutes } = refusal
    const query = new URLSearchParams({ credentials: reason, ...(minutes !== undefined && { minutes: String(minutes) }) })
    return { redirect: `${site.origin}/settings?${query}#credentials` }
  }
  const { currentPassword: current, newPassword: next } = body
  if (typeof current !== 'string' || typeof next !== 'string') return { status: 400, body: { message: 'Two passwords are needed' } }
  const session = await signedIn(services, request)
  if (!session)
    return body['json'] === true ? { status: 401, body: { message: 'Nobody is signed in' } } : { redirect: `${site.origin}/login` }
  const account = await accountOf(services, session)
  if (!account) return answer({ reason: 'unavailable' })
  if (current === '' || next === '') return answer({ reason: current === '' ? 'current-wrong' : 'too-short' })
  const refusal = await changePasswordAt(account.provider, { ...account, email: session.email, current, next }).catch((error: unknown) => {
    if (error instanceof ProviderUnavailable) return { reason: 'unavailable' } as const
    throw error
  })
  if (refusal) return answer(refusal)
  const token = await services.asCommand((scope) => finish(scope, request, session))
  return answer(null, [hostCookie(site, sessionCookieFor(site.mode), token, sessionSeconds)])
}

type Customer = ShownSession & { email: string; name: string }

async function signedIn({ db }: AuthServices, request: AuthRequest): Promise<Customer | null> {
  const { session } = await sessionAnswer(db, sessionIdIn(request), request.site.mode)
  if (!session || session.error !== null) return null
  const { principal, isOverdue, signInId } = session
  const email = emailOf({ principal })
  if (customerIdOf({ principal }) === null || email === null || !('name' in principal)) return null
  if (isOverdue && signInId !== null && !(await mayGoOn(db, signInId))) return null
  return { ...session, email, name: principal.name }
}

/** The account this sign-in belongs to at the provider, and the provider's session. */
async function accountOf({ db }: AuthServices, { provider, signInId }: Customer) {
  const sealed = signInId === null ? null : await readIdToken(db, signInId)
  const idToken = sealed === null ? null : await unseal('token', sealed)
  if (provider === null || idToken === null) return null
  const { sub, sid } = decodeJwt(idToken)
  return sub === undefined ? null : { provider, subject: sub, sid: typeof sid === 'string' ? sid : undefined }
}

async function finish(scope: JobScope, { site }: AuthRequest, { id, email, name }: Customer): Promise<string> {
  const { market, mode, origin } = site
  const payload = { name: name.split(' ', 1)[0] ?? '', change: 'password' as const }
  await sendMail(scope, securityChangeMail, { to: email, site: { market, mode, origin }, payload, key: `password:${randomUUID()}` })
  await signOutElsewhere(scope.db, id)
  return (await renewSession(scope.db, id, mode)).token
}

/** The message that the page behind the redirect shows. */
function changedFlash(origin: string): string {
  const flash = encodeURIComponent(JSON.stringify({ severity: 'success', key: 'flash.password-changed' }))
  return `purlin_flash=${flash}; Path=/; SameSite=Lax; Max-Age=60${origin.startsWith('https:') ? '; Secure' : ''}`
}
