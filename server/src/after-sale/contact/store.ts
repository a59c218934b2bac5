import type { Market, Mode } from '@purlin/contract/markets.ts'
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
  senderHash: string | null
  owner: string | null
}
const count = {
  name: 'contact.count-recent',
  text: `select
      (select count(*)::int from contact.message where email = $1 and at > now() - interval '1 day') as email,
      (select count(*)::int from contact.message where session_id = $2 and at > now() - interval '1 hour') as session,
      (select count(*)::int from contact.message where sender_hash = $3 and at > now() - interval '1 hour') as sender`,
}

const turn = { name: 'contact.take-turn', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' }

/**
 * Serialises the counting of one address's and one sender's messages until the transaction ends: sixty concurrent ones must
 * not each be the first, nor the first to sixty addresses.
 */
export async function takeTurn(db: Db, email: string, senderHash: string | null): Promise<void> {
  await db.run(turn, [`contact ${email}`])
  if (senderHash !== null) await db.run(turn, [`contact from ${senderHash}`])
}

/** Recent messages from this e-mail address, session and network address. */
export async function countRecent(
  db: Db,
  { email, sessionId, senderHash }: Pick<NewMessage, 'email' | 'sessionId' | 'senderHash'>,
): Promise<{ email: number; session: number; sender: number }> {
  const counted = await db.row<{ email: number; session: number; sender: number }>(count, [email, sessionId, senderHash])
  return counted ?? { email: 0, session: 0, sender: 0 }
}

const insert = {
  name: 'contact.write',
  text: `insert into contact.message (id, reference, kind, market, mode, name, email, order_id, body, session_id, sender_hash, owner)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
}

export async function writeMessage(db: Db, message: NewMessage): Promise<void> {
  const { id, reference, kind, market, mode, name, email, orderId, body, sessionId, senderHash, owner } = message
  await db.run(insert, [id, reference, kind, market, mode, name, email, orderId, body, sessionId, senderHash, owner])
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
    or ($2::text is not null and lower(email) = lower($2) and coalesce(owner, '') not like 'c:%') returning id::text`,
}

/**
 * Deletes all messages of a customer, and those that guests have sent with this address; null where another account has it
 * too, because a guest may be either of the two. Returns their ids.
 */
export async function forgetMessagesFrom(db: Db, owner: string, email: string | null): Promise<string[]> {
  return (await db.rows<{ id: string }>(forgetFrom, [owner, email])).map(({ id }) => id)
}
