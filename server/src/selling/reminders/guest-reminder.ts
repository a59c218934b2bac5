import { createHmac, randomBytes } from 'node:crypto'
import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { emailOf, ownerOf, type OwnAddress } from '#accounts'
import { cartOwnerIn, readCartAge } from '#cart'
import { forgetMails, sendMail } from '#mail'
import { enqueue, newId, settings, takeQuota, type Db, type JobScope, type Scope } from '#platform'
import {
  confirmGuest,
  deleteExpired,
  deleteGuest,
  deleteGuestOf,
  deleteGuestsByEmail,
  deleteGuestsByToken,
  hasGuestAgreed,
  readGuestOf,
  readGuestsByEmail,
  writeGuest,
  type GuestReminder,
} from './guest-store.ts'
import { guestConfirmMail } from './mails.ts'

/**
 * Whether the owner of an address has to confirm the consent before an advertisement may go to it. Consent beforehand is the law
 * in all five markets (Art. 13 ePrivacy: PECR reg. 22, LSSI art. 21, CPCE L.34-5, § 7 UWG, Codice Privacy art. 130); German
 * courts accept a typed address as proof of it only with a confirmation.
 */
const needsConfirmation: Readonly<Record<Market, boolean>> = { es: false, fr: false, gb: false, de: true, it: false }

/**
 * Whether this guest's basket will be reminded of; null where nobody can be: for others than guests, when the shop sends no reminders, and
 * while nobody knows. The checkout goes on without.
 */
export async function showGuestReminder(scope: Scope): Promise<{ hasAgreed: boolean } | null> {
  const owner = guestOwner(scope)
  if (owner === null || settings().reminders.afterHours === 0) return null
  try {
    return { hasAgreed: await hasGuestAgreed(scope.db, owner) }
  } catch (error) {
    scope.log.error({ err: error }, 'Reminders are unavailable; guests are offered none')
    return null
  }
}

/** A guest agrees to one reminder of the basket, at the address of their session. Asking again changes nothing while the basket and the address are the same. */
export async function agreeToReminder(scope: Scope): Promise<boolean> {
  const { db, market, mode, origin, now } = scope
  const { afterHours } = settings().reminders
  const owner = guestOwner(scope)
  const email = emailOf(scope)
  if (owner === null || email === null || afterHours === 0) return false
  const age = await readCartAge(db.reads, owner, market)
  if (!age) return false
  const known = await readGuestOf(db, owner)
  const emailHash = hashOf(email)
  if (known && age.oldestLineAt <= (known.remindedAt ?? known.agreedAt) && (known.remindedAt || known.emailHash === emailHash)) return true
  // Anybody can type a stranger's address.
  if (!(await takeQuota('basket-reminder', { address: scope.remoteAddress, email })).ok) return false
  const id = newId()
  const token = randomBytes(24).toString('base64url')
  const wording = wordsFor(market)('reminder.agree')
  const confirmedAt = needsConfirmation[market] ? null : now
  await writeGuest(db, { id, owner, market, mode, email, emailHash, token, wording, agreedAt: now, confirmedAt })
  await forgetMails(db, known ? keysOf(known.id) : [])
  if (confirmedAt === null)
    await sendMail(scope, guestConfirmMail, { to: email, site: { market, mode, origin }, payload: { token }, key: confirmKey(id) })
  await lookAgain(db, id, new Date(now.getTime() + afterHours * 3_600_000))
  return true
}

/** The guest withdraws what they agreed to for this basket: everything about it is deleted. */
export async function withdrawReminder(scope: Scope): Promise<void> {
  const owner = guestOwner(scope)
  if (owner !== null) await forgetAll(scope.db, await deleteGuestOf(scope.db, owner))
}

/** Uses the link of the mail that asks for confirmation; true once, within a week. */
export async function confirmReminder({ db, now }: Pick<JobScope, 'db' | 'now'>, token: string): Promise<boolean> {
  const id = isToken(token) ? await confirmGuest(db, token, now) : null
  if (id !== null) await lookAgain(db, id, now)
  return id !== null
}

/** Withdraws the consent that the link of a mail names, and any other of the same address. A used or invalid link has no effect. */
export async function endReminder({ db }: Pick<JobScope, 'db'>, token: string): Promise<void> {
  if (isToken(token)) await forgetAll(db, await deleteGuestsByToken(db, token))
}

/** Deletes a consent that is over, with the mails about it. */
export async function endGuest(db: Db, id: string): Promise<void> {
  await deleteGuest(db, id)
  await forgetAll(db, [id])
}

/** Deletes what nobody has confirmed, what is over, and what is no longer needed as proof. */
export async function forgetGuests({ db, now }: Pick<JobScope, 'db' | 'now'>): Promise<void> {
  await forgetAll(db, await deleteExpired(db, now))
}

/** For the erasure of an account. */
export async function removeGuestRemindersOf(db: Db, { email, until }: OwnAddress): Promise<void> {
  await forgetAll(db, await deleteGuestsByEmail(db, hashOf(email), until))
}

/** For the export of an account's data. */
export async function readGuestRemindersOf(db: Db, { email, until }: OwnAddress) {
  const all = await readGuestsByEmail(db, hashOf(email), until)
  return all.map(({ market, mode, email: to, wording, agreedAt, confirmedAt, remindedAt }) => ({
    market,
    mode,
    email: to,
    wording,
    agreedAt,
    confirmedAt,
    remindedAt,
  }))
}

/** Queues a look at the basket; there is one at a time. */
export async function lookAgain(db: Db, id: GuestReminder['id'], at: Date): Promise<void> {
  await enqueue(db, { name: 'reminders.guest-basket', key: id, payload: { id }, runAt: at })
}

/** Where mail programs send a POST when their user presses "unsubscribe" (RFC 8058). */
export const guestUnsubscribeUrl = (origin: string, token: string): string => `${origin}/api/v1/basket-reminders/unsubscribe/${token}`
export const reminderKey = (id: string): string => `guest-reminder:${id}`

const confirmKey = (id: string): string => `guest-reminder:${id}:confirm`
const keysOf = (id: string): string[] => [reminderKey(id), confirmKey(id)]
const forgetAll = (db: Db, ids: readonly string[]): Promise<void> => forgetMails(db, ids.flatMap(keysOf))

function guestOwner(scope: Scope): string | null {
  const owner = ownerOf(scope)
  return owner?.startsWith('s:') ? cartOwnerIn(owner, scope.mode) : null
}

const isToken = (text: string): boolean => /^[\w-]{32}$/.test(text)
export const hashOf = (email: string): string =>
  createHmac('sha256', settings().mail.linkSecret).update(`basket-reminder:${email.trim().toLowerCase()}`).digest('base64url')
