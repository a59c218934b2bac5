import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { Channel } from './profile.ts'

/** A customer gets no more reminders and offers by one channel in seven days, nor does a number. */
export const maxPerWeek = 3

// A key that has been claimed before is found again: a repeated attempt loses nothing.
const claim = {
  name: 'profile.claim-notice',
  text: `insert into profile.notice as n (customer_id, channel, key, at)
    select $1, $2, $3, $4 where exists (select 1 from profile.notice o where o.customer_id = $1 and o.channel = $2 and o.key = $3)
      or (select count(*) from profile.notice o where o.customer_id = any($5) and o.channel = $2
        and o.at > $4::timestamptz - interval '7 days') < ${maxPerWeek}
    on conflict (customer_id, channel, key) do update set key = excluded.key returning n.key`,
}
const forget = {
  name: 'profile.forget-notices',
  text: `delete from profile.notice where (customer_id, channel, key) in (
    select customer_id, channel, key from profile.notice where at < now() - interval '30 days' limit 5000)`,
}
const link = {
  name: 'profile.unsubscribe-token',
  text: `insert into profile.unsubscribe as u (customer_id, token, market) values ($1, $2, $3)
    on conflict (customer_id) do update set market = excluded.market returning u.token`,
}
const byToken = {
  name: 'profile.of-unsubscribe-token',
  text: 'select customer_id as "customerId", market from profile.unsubscribe where token = $1',
}
const byPhone = {
  name: 'profile.customers-by-phone',
  text: `select distinct customer_id as id from profile.consent where channel = 'sms' and replace(phone, ' ', '') = $1`,
}
const removeNotices = { name: 'profile.delete-notices', text: 'delete from profile.notice where customer_id = $1' }
const removeLinks = { name: 'profile.delete-unsubscribe', text: 'delete from profile.unsubscribe where customer_id = $1' }

export interface NoticeClaim {
  customerId: string
  channel: Channel
  key: string
  at: Date
  /** The number of a text message. */
  phone?: string
}

/** `countedWith`: the customers whose notices count together. */
export async function insertNotice(
  db: Db,
  { customerId, channel, key, at }: NoticeClaim,
  countedWith: readonly string[],
): Promise<boolean> {
  return (await db.rows(claim, [customerId, channel, key, at, countedWith])).length > 0
}

export async function forgetNotices(db: Db): Promise<void> {
  await db.run(forget)
}

/** The customer's token; the new one if there was none. */
export async function writeUnsubscribeToken(db: Db, customerId: string, fresh: string, market: Market): Promise<string> {
  return (await db.row<{ token: string }>(link, [customerId, fresh, market]))?.token ?? fresh
}

export function readByUnsubscribeToken(db: Db, token: string): Promise<{ customerId: string; market: Market } | undefined> {
  return db.row(byToken, [token])
}

/** Customers who have ever agreed to text messages with this number, in E.164. */
export async function readCustomersByPhone(db: Db, phone: string): Promise<string[]> {
  return (await db.rows<{ id: string }>(byPhone, [phone])).map(({ id }) => id)
}

export async function removeOfferDataOf(db: Db, customerId: string): Promise<void> {
  await db.run(removeNotices, [customerId])
  await db.run(removeLinks, [customerId])
}
