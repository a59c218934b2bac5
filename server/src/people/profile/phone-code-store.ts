import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'

/** A number that waits for the code sent to it. */
export interface PhoneCode {
  id: string
  phone: string
  market: Market
  wording: string
}

const columns = 'id::text, phone, market, wording'
const put = {
  name: 'profile.put-phone-code',
  text: `insert into profile.phone_code (customer_id, id, phone, market, wording, expires_at) values ($1, $2, $3, $4, $5, $6)
    on conflict (customer_id) do update set id = excluded.id, phone = excluded.phone, market = excluded.market, wording = excluded.wording,
      expires_at = excluded.expires_at`,
}
const read = { name: 'profile.phone-code', text: `select ${columns} from profile.phone_code where customer_id = $1 and expires_at > $2` }
const byId = { name: 'profile.phone-code-by-id', text: `select ${columns} from profile.phone_code where id = $1 and expires_at > $2` }
const remove = { name: 'profile.delete-phone-code', text: 'delete from profile.phone_code where customer_id = $1' }
const forget = { name: 'profile.forget-phone-codes', text: 'delete from profile.phone_code where expires_at < $1' }

/** Replaces the number and code that the customer had. */
export async function writePhoneCode(db: Db, customerId: string, code: PhoneCode, expiresAt: Date): Promise<void> {
  await db.run(put, [customerId, code.id, code.phone, code.market, code.wording, expiresAt])
}

/** The number that waits; undefined once its code has expired. */
export function readPhoneCode(db: Db, customerId: string, now: Date): Promise<PhoneCode | undefined> {
  return db.row<PhoneCode>(read, [customerId, now])
}

/** Undefined if the code was replaced, used or has expired. */
export function readPhoneCodeById(db: Db, id: string, now: Date): Promise<PhoneCode | undefined> {
  return db.row<PhoneCode>(byId, [id, now])
}

export async function removePhoneCode(db: Db, customerId: string): Promise<void> {
  await db.run(remove, [customerId])
}

export async function forgetPhoneCodes(db: Db, now: Date): Promise<void> {
  await db.run(forget, [now])
}
