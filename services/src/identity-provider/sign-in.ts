import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Realm } from '@purlin/contract/identity.ts'
import type { Db } from '@purlin/server/foundation/platform/index.ts'
import { type Account, findAccountByEmail, normalizeEmail, rehashPassword } from './accounts.ts'
import { type Counted, countAttempt, forgetAttempts, takeBackAttempt, unlessBusy } from './attempts.ts'
import { lineOf } from './client-address.ts'
import { hostCookie, type IdentityContext } from './context.ts'
import { readCookie } from './forms.ts'
import { TooBusyError } from './later.ts'
import { hashPassword, isOutdated, verifyPassword } from './password.ts'
import { isKnownNetwork } from './known-networks.ts'
import type { Visit } from './visit.ts'

export type SignInResult =
  | { ok: true; account: Account }
  /** `link`: for a while, unknown browsers sign in by a link in a mail. */
  | { ok: false; waitSeconds?: number; instead?: 'link' }

type Refusal = Extract<SignInResult, { ok: false }>

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
  const subject = `${realm}\n${normalizeEmail(email)}`
  const isKnown = isKnownBrowser(visit, email)
  const { counted, refusal } = isKnown
    ? await count(db, [{ quota: 'browser', subject }])
    : // The realm's comes last: what one account may not try uses up nothing of what everybody may.
      await count(db, [
        { quota: 'account', subject },
        { quota: 'realm', subject: realm },
      ])
  if (refusal && isKnown) return refusal
  // A network of earlier sign-ins may go on by a count of its own. Only the right password tells that this is one: any other has the
  // refusal of everybody, after a hash as for everybody.
  const ofPlace: Counted[] = refusal ? [{ quota: 'browser', subject: `${subject}\n${address}` }] : []
  const ofLine: Counted[] = refusal ? [{ quota: 'refused', subject: lineOf(address) }] : []
  if (refusal && (await countAttempt(db, [...ofPlace, ...ofLine])) !== undefined) return refusal
  const isOpen = !refusal || (await isKnownNetwork(visit, email))
  const account = await findAccountByEmail(db, realm, email)
  const check = () =>
    refusal ? verifyPassword(password, account?.password, lineOf(address), 'refused') : verifyPassword(password, account?.password, address)
  const isRight = await unlessBusy(db, refusal ? [...ofPlace, ...ofLine] : counted, check).catch((error: unknown) => {
    // What everybody is refused with leads on, by a link; a full queue would not.
    if (refusal && error instanceof TooBusyError) return false
    throw error
  })
  if (!isRight || !isOpen || !account?.password) return refusal ?? { ok: false }
  await forgetAttempts(db, [...counted.filter(({ quota }) => quota !== 'realm'), ...ofPlace])
  // The others' attempts still count: signing in to an account of one's own must not allow more guesses at others.
  for (const each of [ofNetwork, ...ofLine, ...counted.filter(({ quota }) => quota === 'realm')]) await takeBackAttempt(db, each)
  if (!isOutdated(account.password)) return { ok: true, account }
  return { ok: true, account: await rehashPassword(db, account, await hashPassword(password, address)) }
}

/** Counts an attempt by one after another, up to the one that refuses it. */
async function count(db: Db, all: readonly Counted[]): Promise<{ counted: Counted[]; refusal?: Refusal }> {
  const counted: Counted[] = []
  for (const each of all) {
    const waitSeconds = await countAttempt(db, [each])
    if (waitSeconds !== undefined)
      return { counted, refusal: { ok: false, waitSeconds, ...(each.quota === 'realm' && { instead: 'link' as const }) } }
    counted.push(each)
  }
  return { counted }
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
