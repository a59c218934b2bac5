import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'

export interface StoredSms {
  id: string
  key: string
  customerId: string
  market: Market
  phone: string
  body: string
  segments: number
}

export interface QueuedSms extends StoredSms {
  createdAt: Date
}

const insert = {
  name: 'sms.insert',
  text: `insert into sms.message (id, key, customer_id, market, phone, body, segments) values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (key) do nothing`,
}
const find = {
  name: 'sms.find',
  text: `select id, key, customer_id as "customerId", market, phone, body, segments, created_at as "createdAt"
    from sms.message where id = $1 and state = 'queued'`,
}
const unknown = {
  name: 'sms.unknown',
  text: `select reference from unnest($1::text[]) as r (reference) where not exists (select from sms.message m where m.reference = r.reference) limit 1`,
}
const sent = {
  name: 'sms.sent',
  text: `update sms.message set state = 'sent', reference = $2, changed_at = now() where id = $1 and state = 'queued'`,
}
const drop = { name: 'sms.drop', text: `update sms.message set state = 'dropped', changed_at = now() where id = $1 and state = 'queued'` }
const refuse = {
  name: 'sms.refuse',
  text: `update sms.message set state = 'failed', error_code = $2, changed_at = now() where id = $1 and state = 'queued'`,
}
// Reports may arrive in any order, and again: what was delivered stays so.
const report = {
  name: 'sms.report',
  text: `update sms.message set state = $2, error_code = $3, changed_at = now()
    where reference = $1 and state <> 'delivered' and not (state = 'failed' and $2 = 'sent')`,
}
const takeReply = { name: 'sms.take-reply', text: 'insert into sms.reply (reference) values ($1) on conflict do nothing' }
const ofCustomer = {
  name: 'sms.of-customer',
  text: 'select phone, body, state, created_at as "createdAt" from sms.message where customer_id = $1 order by created_at, id',
}
const remove = { name: 'sms.delete', text: 'delete from sms.message where customer_id = $1 returning reference' }
const forget = {
  name: 'sms.forget',
  text: `delete from sms.message where id in (select id from sms.message where created_at < now() - interval '90 days' limit 2000) returning reference`,
}
const forgetReplies = {
  name: 'sms.forget-replies',
  text: `delete from sms.reply where reference in (select reference from sms.reply where at < now() - interval '90 days' limit 2000) returning reference`,
}

/** False when a message with this key already exists. */
export async function insertSms(db: Db, { id, key, customerId, market, phone, body, segments }: StoredSms): Promise<boolean> {
  return (await db.run(insert, [id, key, customerId, market, phone, body, segments])) === 1
}

/** A message that has not been sent yet. */
export function findQueued(db: Db, id: string): Promise<QueuedSms | undefined> {
  return db.row<QueuedSms>(find, [id])
}

/** Of these ids of the provider, the first that belongs to no message of ours. */
export async function findUnknown(db: Db, references: readonly string[]): Promise<string | undefined> {
  return (await db.row<{ reference: string }>(unknown, [references]))?.reference
}

export async function markSent(db: Db, id: string, reference: string): Promise<void> {
  await db.run(sent, [id, reference])
}

export async function markDropped(db: Db, id: string): Promise<void> {
  await db.run(drop, [id])
}

export async function markRefused(db: Db, id: string, errorCode: string): Promise<void> {
  await db.run(refuse, [id, errorCode])
}

export async function writeReport(db: Db, reference: string, state: string, errorCode: string | null): Promise<void> {
  await db.run(report, [reference, state, errorCode])
}

/** False when this reply has been taken before. */
export async function isNewReply(db: Db, reference: string): Promise<boolean> {
  return (await db.run(takeReply, [reference])) === 1
}

/** For the export of an account's data. */
export function readSmsOf(db: Db, customerId: string): Promise<{ phone: string; body: string; state: string; createdAt: Date }[]> {
  return db.rows(ofCustomer, [customerId])
}

const referencesOf = (rows: readonly { reference: string | null }[]) => rows.flatMap(({ reference }) => reference ?? [])

/** Returns the provider's ids of the messages. */
export async function deleteSmsOf(db: Db, customerId: string): Promise<string[]> {
  return referencesOf(await db.rows(remove, [customerId]))
}

/** Messages and replies of the last quarter stay. Returns the provider's ids of the others. */
export async function deleteOldSms(db: Db): Promise<string[]> {
  return referencesOf([...(await db.rows<{ reference: string | null }>(forget)), ...(await db.rows<{ reference: string }>(forgetReplies))])
}
