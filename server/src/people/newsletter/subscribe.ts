import { createHash, randomBytes } from 'node:crypto'
import { isEmail, maxEmailLength } from '@purlin/contract/email.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import * as v from 'valibot'
import { sendMail } from '#mail'
import { newId, takeQuota, type Db, type JobScope, type Scope } from '#platform'
import { confirmMail, welcomeMail } from './mails.ts'
import { askToConfirm, confirmAsked, endByToken, readByEmail, removeByEmail, type OwnSubscription } from './store.ts'

const address = v.pipe(
  v.string(),
  v.maxLength(maxEmailLength),
  v.transform((email) => email.trim().toLowerCase()),
  v.check(isEmail),
)

export type Subscribed = { ok: true } | { ok: false; reason: 'email-invalid' }

/**
 * Double opt-in: an address is subscribed once the link in its mail has been used. The result never tells whether the address
 * is known, subscribed, or has had its mails for today.
 */
export async function subscribe(scope: Scope, { email: typed, website }: { email: string; website?: string | null }): Promise<Subscribed> {
  const parsed = v.safeParse(address, typed)
  if (!parsed.success) return { ok: false, reason: 'email-invalid' }
  if (website) return { ok: true }
  const { db, market, mode, origin, now } = scope
  const email = parsed.output
  const emailHash = hashOf(email)
  // Beyond its quota nothing is sent: the form must not fill a stranger's mailbox.
  if (!(await takeQuota('newsletter', { email, address: scope.remoteAddress })).ok) return { ok: true }
  const secret = newToken()
  const id = newId()
  const wording = wordsFor(market)('newsletter.agree')
  const asked = { id, email, emailHash, market, mode, confirmHash: hashOf(secret), token: newToken(), wording, at: now }
  if (!(await askToConfirm(db, asked))) return { ok: true }
  await sendMail(scope, confirmMail, { to: email, site: { market, mode, origin }, payload: { secret }, key: `newsletter:${id}:confirm` })
  return { ok: true }
}

/** Uses the link of the mail; true once. The welcome mail has the link, and the header, that end the subscription. */
export async function confirmSubscription(scope: Scope, secret: string): Promise<boolean> {
  if (!isToken(secret)) return false
  const confirmed = await confirmAsked(scope.db, hashOf(secret))
  if (!confirmed) return false
  const { id, email, market, mode, token } = confirmed
  await sendMail(scope, welcomeMail, {
    to: email,
    site: { market, mode, origin: scope.origin },
    payload: { token },
    key: `newsletter:${id}:welcome:${token.slice(0, 8)}`,
    unsubscribeUrl: unsubscribeUrl(scope.origin, token),
  })
  return true
}

/** Where mail programs send a POST when their user presses "unsubscribe" (RFC 8058). */
export const unsubscribeUrl = (origin: string, token: string): string => `${origin}/api/v1/newsletter/unsubscribe/${token}`

/** Ends a subscription and forgets its address; a wrong token has no effect. */
export async function endSubscription({ db }: Pick<JobScope, 'db'>, token: string): Promise<void> {
  if (isToken(token)) await endByToken(db, token)
}

/** For the export of an account's data. */
export function readSubscriptionsOf(db: Db, email: string): Promise<OwnSubscription[]> {
  return readByEmail(db, hashOf(email.toLowerCase()))
}

/** For the erasure of an account. */
export function removeSubscriptionsOf(db: Db, email: string): Promise<void> {
  return removeByEmail(db, hashOf(email.toLowerCase()))
}

const newToken = (): string => randomBytes(24).toString('base64url')
const isToken = (text: string): boolean => /^[\w-]{32}$/.test(text)
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
