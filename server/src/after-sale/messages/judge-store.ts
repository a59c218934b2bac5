import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { ReportReason, Side } from './conversation.ts'

const report = {
  name: 'messages.report',
  text: `with reported as (
      select m.id from messages.message m join messages.conversation c on c.id = m.conversation_id
      where c.seller_order_id = $1 and m.seq = $2 and m.author <> $3
    ), kept as (
      insert into messages.report (message_id, reporter, reason, note, at) select id, $3, $4, $5, $6 from reported
      on conflict do nothing returning message_id
    )
    select (select count(*)::int from reported) as found, (select count(*)::int from kept) as kept`,
}
export interface NewReport {
  orderId: string
  seq: number
  reporter: Exclude<Side, 'operator'>
  reason: ReportReason
  note: string
  at: Date
}
/** Whether the message exists and this side has reported it before. One's own messages cannot be reported. */
export async function keepReport(db: Db, { orderId, seq, reporter, reason, note, at }: NewReport): Promise<'unknown' | 'known' | 'new'> {
  const { found = 0, kept = 0 } = (await db.row<{ found: number; kept: number }>(report, [orderId, seq, reporter, reason, note, at])) ?? {}
  return found === 0 ? 'unknown' : kept === 0 ? 'known' : 'new'
}

const rate = {
  name: 'messages.rate',
  text: `insert into messages.rating (message_id, seller_id, stars, at)
    select m.id, c.seller_id, $3, $4 from messages.message m join messages.conversation c on c.id = m.conversation_id
    where c.seller_order_id = $1 and m.seq = $2 and m.author = 'seller'
    on conflict (message_id) do update set stars = excluded.stars, at = excluded.at`,
}
/** False when the seller has written no such message. */
export async function keepRating(
  db: Db,
  { orderId, seq, stars, at }: { orderId: string; seq: number; stars: number; at: Date },
): Promise<boolean> {
  return (await db.run(rate, [orderId, seq, stars, at])) === 1
}

export interface OpenReport {
  messageId: string
  orderId: string
  market: Market
  author: Side
  reporter: Side
  reason: ReportReason
  note: string
  body: string
  at: Date
}
const openReports = {
  name: 'messages.open-reports',
  text: `select r.message_id::text as "messageId", c.seller_order_id as "orderId", c.market, m.author, r.reporter, r.reason, r.note, m.body, r.at
    from messages.report r join messages.message m on m.id = r.message_id join messages.conversation c on c.id = m.conversation_id
    where r.closed_at is null order by r.at limit 100`,
}
export function readOpenReports(db: Db): Promise<OpenReport[]> {
  return db.rows<OpenReport>(openReports)
}

const close = {
  name: 'messages.close-report',
  text: 'update messages.report set closed_at = $2 where message_id = $1 and closed_at is null',
}
export async function closeReports(db: Db, messageId: string, now: Date): Promise<boolean> {
  return (await db.run(close, [messageId, now])) > 0
}
