import type { Market } from '@purlin/contract/markets.ts'
import { log, enqueue, newId, type JobScope } from '#platform'
import { claimNotice, offerChannels } from '#profile'
import { hasSmsProvider, smsProvider } from './provider-of-shop.ts'
import { whenAwake } from './quiet-hours.ts'
import { asPlainText, segmentsOf } from './segments.ts'
import { insertSms } from './store.ts'

/** A longer text is a mistake of ours, and charged several times. */
export const maxSegments = 3

export interface SmsOrder {
  customerId: string
  market: Market
  text: string
  /** Idempotency key: the same key never sends a second message. */
  key: string
  /** News about an order is awaited: the cap of a week is for what the shop would like to say. */
  isAwaited?: boolean
}

/** Whether the customer can be reached by text message: the shop sends them, and the customer has agreed. */
export async function isReachedBySms(db: JobScope['db'], customerId: string): Promise<boolean> {
  return hasSmsProvider() && (await offerChannels(db, customerId)).sms !== null
}

/**
 * Queues a text message in the caller's transaction, for customers who have agreed to them; outside of quiet hours it is sent at
 * once. False when it is not sent at all.
 */
export async function sendSms(
  { db, now }: Pick<JobScope, 'db' | 'now'>,
  { customerId, market, text, key, isAwaited = false }: SmsOrder,
): Promise<boolean> {
  const phone = smsProvider() && (await offerChannels(db, customerId)).sms
  if (!phone) return false
  const body = asPlainText(text)
  const segments = segmentsOf(body)
  if (segments > maxSegments) {
    log.warn({ key, segments }, 'A text message is too long and was not sent')
    return false
  }
  const to = phone.replaceAll(' ', '')
  if (!isAwaited && !(await claimNotice(db, { customerId, channel: 'sms', key, at: now, phone: to }))) return false
  const id = newId()
  if (!(await insertSms(db, { id, key, customerId, market, phone: to, body, segments }))) return false
  await enqueue(db, { name: 'sms.send', key: id, payload: { smsId: id }, runAt: whenAwake(market, now) })
  return true
}
