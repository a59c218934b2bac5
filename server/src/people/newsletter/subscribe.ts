import { createHash, randomBytes } from 'node:crypto'
import { isEmail, maxEmailLength } from '@purlin/contract/email.ts'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import * as v from 'valibot'
import type { OwnAddress } from '#accounts'
import { forgetMailsAbout, sendMail } from '#mail'
import { enqueue, job, newId, takeQuota, type Db, type JobScope, type Scope } from '#platform'
import { confirmMail, welcomeMail } from './mails.ts'
import { askToConfirm, confirmAsked, endByToken, readByEmail, removeByEmail, type OwnSubscription } from './store.ts'

const address = v.pipe(
  v.string(),
  v.maxLength(maxEmailLength),
  v.transform((email) => email.trim().toLowerCase()),
  v.check(isEmail),
)

export type Subscribed = { ok: true } | { ok: false; reason: 'email-invalid' }

interface AskedFor {
  email: string
  market: Market
  mode: Mode
  origin: string
  /** The wording that was agreed to, and when. */
  wording: string
  at: string
}

/**
 * Double opt-in: an address is subscribed once the link in its mail has been used. Neither the result nor its time tells whether
 * the address is known, subscribed, or has had its mails for today: a job looks it up. (A41)
 */
export async function subscribe(scope: Scope, { email: typed, website }: { email: string; website?: string | null }): Promise<Subscribed> {
  const parsed = v.safeParse(address, typed)
  if (!parsed.success) return { ok: false, reason: 'email-invalid' }
  if (website) return { ok: true }
  const { market, mode, origin, now } = scope
  const email = parsed.output
  // Beyond its quota nothing is sent: the form must not fill a stranger's mailbox.
  if (!(await takeQuota('newsletter', { email, address: scope.remoteAddress })).ok) return { ok: true }
  const payload: AskedFor = { email, market, mode, origin, wording: wordsFor(market)('newsletter.agree'), at: now.toISOString() }
  await enqueue(scope.db, { name: 'newsletter.ask', key: newId(), payload })
  return { ok: true }
}

export const askJob = job<AskedFor>('newsletter.ask', {
  commit: async (scope, { email, market, mode, origin, wording, at }) => {
    const secret = newToken()
    const id = newId()
    const asked = { id, email, emailHash: hashOf(email), market, mode, confirmHash: hashOf(secret), token: newToken(), wording }
    if (!(await askToConfirm(scope.db, { ...asked, at: new Date(at) }))) return
    await sendMail(scope, confirmMail, { to: email, site: { market, mode, origin }, payload: { secret }, key: `newsletter:${id}:confirm` })
  },
})

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
export function readSubscriptionsOf(db: Db, { email, until }: OwnAddress): Promise<OwnSubscription[]> {
  return readByEmail(db, hashOf(email.toLowerCase()), until)
}

/** For the erasure of an account, with the mails that were sent after the account had got another address. */
export async function removeSubscriptionsOf(db: Db, { email, until }: OwnAddress): Promise<void> {
  await forgetMailsAbout(db, await removeByEmail(db, hashOf(email.toLowerCase()), until))
}

const newToken = (): string => randomBytes(24).toString('base64url')
const isToken = (text: string): boolean => /^[\w-]{32}$/.test(text)
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
