import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Realm } from '@purlin/contract/identity.ts'
import { type Account, findAccountByEmail, normalizeEmail, rehashPassword } from './accounts.ts'
import { type Counted, countAttempt, forgetAttempts, takeBackAttempt, unlessBusy } from './attempts.ts'
import { hostCookie, type IdentityContext } from './context.ts'
import { readCookie } from './forms.ts'
import { hashPassword, isOutdated, verifyPassword } from './password.ts'
import { isKnownNetwork } from './known-networks.ts'
import type { Visit } from './visit.ts'

export type SignInResult =
  | { ok: true; account: Account }
  /** `link`: for a while, unknown browsers sign in by a link in a mail. */
  | { ok: false; waitSeconds?: number; instead?: 'link' }

/**
 * Checks a password. Every attempt is counted before its outcome is known, whether or not the account exists, and takes
 * equally long without one.
 */
export async function signIn(visit: Visit, { email, password }: { email: string; password: string }): Promise<SignInResult> {
  const { context, realm, address } = visit
  const { db } = context.pool
  const ofNetwork: Counted = { quota: 'address', subject: address }
  const waitOfNetwork = await countAttempt(db, [ofNetwork])
  if (waitOfNetwork !== undefined) return { ok: false, waitSeconds: waitOfNetwork }
  const ofAccount = await countOf(visit, email)
  const waitSeconds = await countAttempt(db, [ofAccount])
  if (waitSeconds !== undefined) return { ok: false, waitSeconds }
  // After the others: what one network or account may not try uses up nothing of what everybody may.
  const ofRealm: Counted[] = ofAccount.quota === 'account' ? [{ quota: 'realm', subject: realm }] : []
  const waitOfRealm = await countAttempt(db, ofRealm)
  if (waitOfRealm !== undefined) return { ok: false, waitSeconds: waitOfRealm, instead: 'link' }
  const account = await findAccountByEmail(db, realm, email)
  const isRight = await unlessBusy(db, [ofAccount, ...ofRealm], () => verifyPassword(password, account?.password, address))
  if (!isRight || !account?.password) return { ok: false }
  await forgetAttempts(db, [ofAccount])
  // The network's other attempts still count: signing in to an account of one's own must not allow more guesses at others.
  for (const each of [ofNetwork, ...ofRealm]) await takeBackAttempt(db, each)
  if (!isOutdated(account.password)) return { ok: true, account }
  return { ok: true, account: await rehashPassword(db, account, await hashPassword(password, address)) }
}

/** Strangers' wrong passwords use up nothing of what a browser or a network of earlier sign-ins may try. */
async function countOf(visit: Visit, email: string): Promise<Counted> {
  const subject = `${visit.realm}\n${normalizeEmail(email)}`
  if (isKnownBrowser(visit, email)) return { quota: 'browser', subject }
  return (await isKnownNetwork(visit, email))
    ? { quota: 'browser', subject: `${subject}\n${visit.address}` }
    : { quota: 'account', subject }
}

/** Browsers that have signed in to an account keep a cookie of it, which reveals nothing to others. */
const marksKept = 4

function markOf({ cookieSecret }: IdentityContext, realm: Realm, email: string): string {
  return createHmac('sha256', cookieSecret)
    .update(`browser\n${realm}\n${normalizeEmail(email)}`)
    .digest('base64url')
}

function marksIn({ context, request }: Visit): string[] {
  return (readCookie(request, hostCookie(context.url, 'known')) ?? '').split('.').filter((mark) => mark.length === 43)
}

export function isKnownBrowser(visit: Visit, email: string): boolean {
  const own = Buffer.from(markOf(visit.context, visit.realm, email))
  return marksIn(visit).some((mark) => timingSafeEqual(Buffer.from(mark.padEnd(own.length).slice(0, own.length)), own))
}

export function rememberBrowser(visit: Visit, { realm, email }: Pick<Account, 'realm' | 'email'>): void {
  const own = markOf(visit.context, realm, email)
  const marks = [own, ...marksIn(visit).filter((mark) => mark !== own)].slice(0, marksKept)
  const name = hostCookie(visit.context.url, 'known')
  visit.response.appendHeader('set-cookie', `${name}=${marks.join('.')}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000`)
}
