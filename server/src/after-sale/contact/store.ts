import type { Market, Mode } from '@purlin/contract/markets.ts'
import { wasTheirs, type OwnAddress } from '#accounts'
import type { Db } from '#platform'
import type { MessageKind } from './message.ts'

export interface NewMessage {
  id: string
  reference: number
  kind: MessageKind
  market: Market
  mode: Mode
  name: string
  email: string
  orderId: string | null
  body: string
  sessionId: string
  owner: string | null
}
const insert = {
  name: 'contact.write',
  text: `insert into contact.message (id, reference, kind, market, mode, name, email, order_id, body, session_id, owner)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
}

export async function writeMessage(db: Db, message: NewMessage): Promise<void> {
  const { id, reference, kind, market, mode, name, email, orderId, body, sessionId, owner } = message
  await db.run(insert, [id, reference, kind, market, mode, name, email, orderId, body, sessionId, owner])
}

const find = {
  name: 'contact.find',
  text: `select reference, name, email, order_id as "orderId", body, owner, at from contact.message where id = $1`,
}

export function readMessage(db: Db, id: string) {
  return db.row<Pick<NewMessage, 'reference' | 'name' | 'email' | 'orderId' | 'body' | 'owner'> & { at: Date }>(find, [id])
}

const forget = {
  name: 'contact.forget-senders',
  text: `update contact.message set sender_hash = null where sender_hash is not null and at < now() - interval '1 day'`,
}

export async function forgetSenders(db: Db): Promise<void> {
  await db.run(forget)
}

const forgetFrom = {
  name: 'contact.forget-from',
  text: `delete from contact.message where owner = $1
    or (${wasTheirs('email', 'at', '$2')} and coalesce(owner, '') not like 'c:%') returning id::text`,
}

/**
 * Deletes all messages of a customer, and those that guests have sent with one of these addresses. An address that another
 * account has too is not among them, because a guest may be either of the two. Returns their ids.
 */
export async function forgetMessagesFrom(db: Db, owner: string, addresses: readonly OwnAddress[]): Promise<string[]> {
  return (await db.rows<{ id: string }>(forgetFrom, [owner, JSON.stringify(addresses)])).map(({ id }) => id)
}

const sentBy = {
  name: 'contact.sent-by',
  text: `select reference, kind, market, name, email, order_id as "orderId", body, at from contact.message where owner = $1
    or (${wasTheirs('email', 'at', '$2')} and coalesce(owner, '') not like 'c:%') order by at, id`,
}

/** Messages of a customer to the shop, signed in or as a guest with one of these addresses. */
export function readMessagesFrom(db: Db, owner: string, addresses: readonly OwnAddress[]) {
  return db.rows<Pick<NewMessage, 'reference' | 'kind' | 'market' | 'name' | 'email' | 'orderId' | 'body'> & { at: Date }>(sentBy, [
    owner,
    JSON.stringify(addresses),
  ])
}
