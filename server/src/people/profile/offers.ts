import { randomBytes } from 'node:crypto'
import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import type { Db, JobScope } from '#platform'
import { insertNotice, readByUnsubscribeToken, readCustomersByPhone, writeUnsubscribeToken, type NoticeClaim } from './offers-store.ts'
import { insertConsent, readConsents, takeTurn } from './store.ts'

/** Channels by which a customer has agreed to offers and reminders. */
export interface OfferChannels {
  email: boolean
  /** The number for text messages; null without consent. */
  sms: string | null
}

export async function offerChannels(db: Db, customerId: string): Promise<OfferChannels> {
  const granted = (await readConsents(db, customerId)).filter(({ isGranted }) => isGranted)
  return {
    email: granted.some(({ channel }) => channel === 'email'),
    sms: granted.find(({ channel }) => channel === 'sms')?.phone ?? null,
  }
}

/** Whether one more reminder or offer may go to the customer, which is counted from now on. In the caller's transaction. */
export async function claimNotice(db: Db, notice: NoticeClaim): Promise<boolean> {
  const { customerId, phone } = notice
  // Several accounts may have the same number, whose owner gets no more for that.
  const sharing = phone === undefined ? [] : await readCustomersByPhone(db, phone)
  await takeTurn(db, phone ?? customerId)
  return insertNotice(db, notice, [customerId, ...sharing])
}

/** The token of the link that ends offers by e-mail: the same in all mails to a customer. */
export function unsubscribeToken(db: Db, customerId: string, market: Market): Promise<string> {
  return writeUnsubscribeToken(db, customerId, randomBytes(24).toString('base64url'), market)
}

/** Where mail programs send a POST when their user presses "unsubscribe" (RFC 8058). */
export const offersUnsubscribeUrl = (origin: string, token: string): string => `${origin}/api/v1/offers/unsubscribe/${token}`

/** Ends offers by e-mail, for any holder of a mail. A used or invalid link gets the same response. */
export async function endOffers({ db }: Pick<JobScope, 'db'>, token: string): Promise<void> {
  if (!/^[\w-]{32}$/.test(token)) return
  const found = await readByUnsubscribeToken(db, token)
  if (!found) return
  const { customerId, market } = found
  await takeTurn(db, customerId)
  if (!(await offerChannels(db, customerId)).email) return
  const wording = wordsFor(market)('offers.end.text')
  await insertConsent(db, customerId, { channel: 'email', isGranted: false, wording, source: 'unsubscribe', phone: null })
}

/** Ends offers by text message for everybody who has agreed to them with this number, which has asked for it. */
export async function endSmsOffers(db: Db, { phone, wording }: { phone: string; wording: string }): Promise<void> {
  for (const customerId of await readCustomersByPhone(db, phone)) {
    await takeTurn(db, customerId)
    const sms = (await readConsents(db, customerId)).find(({ channel }) => channel === 'sms')
    // A number given up since is not theirs any more.
    if (sms?.isGiven && sms.phone?.replaceAll(' ', '') === phone)
      await insertConsent(db, customerId, { channel: 'sms', isGranted: false, wording, source: 'sms', phone: null })
  }
}
