import type { Market } from '@purlin/contract/markets.ts'
import { isId, type Db } from '#platform'
import type { Conversation, Message, Side } from './conversation.ts'

const columns = `c.id::text, c.seller_order_id as "sellerOrderId", c.customer_order_id as "customerOrderId", c.seller_id as "sellerId",
  c.market, c.mode, c.owner, c.company_id::text as "companyId", c.email, c.topic, c.about, c.last_seq as "lastSeq",
  c.buyer_read as "buyerRead", c.seller_read as "sellerRead", c.answer_due_at as "answerDueAt"`
const find = { name: 'messages.find', text: `select ${columns} from messages.conversation c where c.seller_order_id = $1` }

/** The conversation about a seller order, for a caller who may see that order. */
export function findConversation(db: Db, sellerOrderId: string): Promise<Conversation | undefined> {
  return db.row<Conversation>(find, [sellerOrderId])
}

const open = {
  name: 'messages.open',
  text: `insert into messages.conversation as c
      (id, seller_order_id, customer_order_id, seller_id, market, mode, owner, company_id, email, topic, about, last_at, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
    on conflict (seller_order_id) do update set seller_order_id = excluded.seller_order_id
    returning ${columns}`,
}
export type NewConversation = Omit<Conversation, 'lastSeq' | 'buyerRead' | 'sellerRead' | 'answerDueAt'>

/** Locks the conversation about a seller order until the transaction ends; creates it if there is none. */
export async function openConversation(db: Db, fresh: NewConversation, now: Date): Promise<Conversation> {
  const { id, sellerOrderId, customerOrderId, sellerId, market, mode, owner, companyId, email, topic, about } = fresh
  const values = [id, sellerOrderId, customerOrderId, sellerId, market, mode, owner, companyId, email, topic, JSON.stringify(about), now]
  const opened = await db.row<Conversation>(open, values)
  if (!opened) throw new Error(`The conversation about ${sellerOrderId} could not be opened`)
  return opened
}

const append = {
  name: 'messages.append',
  text: `with numbered as (
      update messages.conversation set last_seq = last_seq + 1, last_at = $8,
        buyer_news = case when $4 = 'buyer' then buyer_news else last_seq + 1 end,
        seller_news = case when $4 = 'seller' then seller_news else last_seq + 1 end,
        buyer_read = case when $4 = 'buyer' then last_seq + 1 else buyer_read end,
        seller_read = case when $4 = 'seller' then last_seq + 1 else seller_read end,
        -- A second message of the buyer does not postpone the answer to the first.
        answer_due_at = case when $4 = 'buyer' then coalesce(answer_due_at, $9) end,
        late_told_at = case when $4 = 'buyer' then late_told_at end,
        remind_at = case when $4 <> 'buyer' then null when answer_due_at is null then $10 else remind_at end
      where id = $2 returning last_seq
    )
    insert into messages.message (id, conversation_id, seq, author, written_by, body, is_masked, files, at)
    select $1, $2, last_seq, $4, $3, $5, $6, $7, $8 from numbered returning seq`,
}
export interface NewMessage {
  id: string
  conversationId: string
  writtenBy: string
  author: Side
  body: string
  isMasked: boolean
  files: readonly { id: string; name: string }[]
  at: Date
}

/** Appends a message to a locked conversation. Returns its number. */
export async function appendMessage(db: Db, message: NewMessage, deadline: { dueAt: Date; remindAt: Date }): Promise<number> {
  const { id, conversationId, writtenBy, author, body, isMasked, files, at } = message
  const values = [id, conversationId, writtenBy, author, body, isMasked, JSON.stringify(files), at, deadline.dueAt, deadline.remindAt]
  return (await db.row<{ seq: number }>(append, values))?.seq ?? 0
}

const recent = {
  name: 'messages.recent',
  text: `select count(*) filter (where at > $3)::int as count,
      (select jsonb_build_object('id', m.id, 'writtenBy', m.written_by, 'body', m.body, 'at', m.at, 'hasFiles', m.files <> '[]')
        from messages.message m where m.conversation_id = $1 order by seq desc limit 1) as last
    from messages.message where conversation_id = $1 and author = $2 and at > $3`,
}
export interface Recent {
  /** Messages of this side since then. */
  count: number
  /** The last message of the conversation. */
  last: { id: string; writtenBy: string; body: string; at: string; hasFiles: boolean } | null
}
export async function readRecent(db: Db, conversationId: string, author: Side, since: Date): Promise<Recent> {
  return (await db.row<Recent>(recent, [conversationId, author, since])) ?? { count: 0, last: null }
}

const list = {
  name: 'messages.of-conversation',
  text: `select m.id::text, m.seq, m.author, m.body, m.is_masked as "isMasked", m.files, m.at, r.stars as rating
    from messages.conversation c join messages.message m on m.conversation_id = c.id
      left join messages.rating r on r.message_id = m.id
    where c.seller_order_id = $1 and m.seq < $2 order by m.seq desc limit $3`,
}
/** Messages before a number, oldest first. */
export async function readMessages(db: Db, sellerOrderId: string, before: number, limit: number): Promise<Message[]> {
  return (await db.rows<Message>(list, [sellerOrderId, before, limit])).toReversed()
}

const seen = {
  name: 'messages.seen',
  text: `update messages.conversation set
      buyer_read = case when $2 = 'buyer' then greatest(buyer_read, least($3, last_seq)) else buyer_read end,
      seller_read = case when $2 = 'seller' then greatest(seller_read, least($3, last_seq)) else seller_read end
    where seller_order_id = $1`,
}
export async function markSeen(db: Db, sellerOrderId: string, side: 'buyer' | 'seller', upTo: number): Promise<void> {
  await db.run(seen, [sellerOrderId, side, upTo])
}

export interface ConversationRow {
  id: string
  sellerOrderId: string
  customerOrderId: string
  topic: Conversation['topic']
  about: Conversation['about']
  lastAt: Date
  answerDueAt: Date | null
  /** Unread messages for the side that lists. */
  unread: number
  author: Side
  body: string
}
const rowColumns = (
  side: 'buyer' | 'seller',
) => `c.id::text, c.seller_order_id as "sellerOrderId", c.customer_order_id as "customerOrderId",
  c.topic, c.about, c.last_at as "lastAt", c.answer_due_at as "answerDueAt", m.author, m.body,
  (select count(*)::int from messages.message u where u.conversation_id = c.id and u.seq > c.${side}_read and u.author <> '${side}') as unread
  from messages.conversation c join messages.message m on m.conversation_id = c.id and m.seq = c.last_seq`
const own = (company: string) => `c.owner = $1 and (c.company_id is null or c.company_id = ${company})`
const ofBuyer = `(${own('$4')} or c.company_id = $2) and c.market = $3`
const mine = {
  name: 'messages.list-of-buyer',
  text: `select ${rowColumns('buyer')} where ${ofBuyer} order by c.last_at desc, c.id limit $5 offset $6`,
}
const countMine = {
  name: 'messages.count-of-buyer',
  text: `select count(*)::int as total, (count(*) filter (where ${own('$4')} and c.buyer_news > c.buyer_read))::int as unread
    from messages.conversation c where ${ofBuyer}`,
}
export interface WhoseConversations {
  owner: string
  /** Includes all conversations of this company. */
  companyId: string | null
  /** The company the owner acts for: what they once wrote for another is not theirs. */
  memberOf: string | null
  market: Market
}
export function readOfBuyer(
  db: Db,
  { owner, companyId, memberOf, market }: WhoseConversations,
  limit: number,
  offset: number,
): Promise<ConversationRow[]> {
  return db.rows<ConversationRow>(mine, [owner, companyId, market, memberOf, limit, offset])
}
export async function countOfBuyer(
  db: Db,
  { owner, companyId, memberOf, market }: WhoseConversations,
): Promise<{ total: number; unread: number }> {
  return (await db.row<{ total: number; unread: number }>(countMine, [owner, companyId, market, memberOf])) ?? { total: 0, unread: 0 }
}

const partsOf = {
  name: 'messages.parts-of-buyer',
  text: `select c.seller_order_id as id from messages.conversation c where ${own('$3')} and c.market = $2 order by c.last_at desc limit 500`,
}
/** Seller orders that a buyer has written about, latest first. */
export async function readPartsOf(db: Db, { owner, memberOf, market }: Omit<WhoseConversations, 'companyId'>): Promise<string[]> {
  return (await db.rows<{ id: string }>(partsOf, [owner, market, memberOf])).map(({ id }) => id)
}

const countUnread = {
  name: 'messages.count-unread',
  text: `select count(*)::int as unread from messages.conversation c where ${own('$3')} and c.market = $2 and c.buyer_news > c.buyer_read`,
}
/** Number of a buyer's conversations with unread messages. */
export async function countUnreadOf(db: Db, { owner, memberOf, market }: Omit<WhoseConversations, 'companyId'>): Promise<number> {
  return (await db.row<{ unread: number }>(countUnread, [owner, market, memberOf]))?.unread ?? 0
}

const served = {
  name: 'messages.list-of-seller',
  text: `select ${rowColumns('seller')} where c.seller_id = $1 and c.market = $2 and (not $3 or c.answer_due_at is not null)
      and ($4::timestamptz is null or (c.last_at, c.id) < ($4, $5::uuid))
    order by c.last_at desc, c.id desc limit $6`,
}
/** A seller's conversations, latest first, after a place in that order. */
export function readOfSeller(
  db: Db,
  { sellerId, market, isWaiting }: { sellerId: number; market: Market; isWaiting: boolean },
  after: { at: Date; id: string } | null,
  limit: number,
): Promise<ConversationRow[]> {
  return db.rows<ConversationRow>(served, [sellerId, market, isWaiting, after?.at ?? null, after?.id ?? null, limit])
}

const follow = {
  name: 'messages.follow-sign-in',
  text: 'update messages.conversation set owner = $2 where owner = $1 and lower(email) = lower($3)',
}
/** Conversations about orders placed with this address move to another owner. */
export async function handOverConversations(db: Db, from: string, into: string, email: string): Promise<void> {
  await db.run(follow, [from, into, email])
}

export interface AwaitedAnswer {
  sellerOrderId: string
  customerOrderId: string
  sellerId: number
  dueAt: Date
}
const awaited =
  'seller_order_id as "sellerOrderId", customer_order_id as "customerOrderId", seller_id as "sellerId", answer_due_at as "dueAt"'
const toRemind = {
  name: 'messages.take-to-remind',
  text: `update messages.conversation set remind_at = null where id in (
      select id from messages.conversation where remind_at <= $1 and answer_due_at is not null order by remind_at limit 100 for update skip locked)
    returning ${awaited}`,
}
/** Conversations whose seller is to be reminded now; each is returned once. */
export function takeToRemind(db: Db, now: Date): Promise<AwaitedAnswer[]> {
  return db.rows<AwaitedAnswer>(toRemind, [now])
}

const late = {
  name: 'messages.take-late',
  text: `update messages.conversation set late_told_at = $1 where id in (
      select id from messages.conversation where answer_due_at <= $1 and late_told_at is null order by answer_due_at limit 100 for update skip locked)
    returning ${awaited}`,
}
/** Conversations whose answer is overdue; each is returned once per missing answer. */
export function takeLate(db: Db, now: Date): Promise<AwaitedAnswer[]> {
  return db.rows<AwaitedAnswer>(late, [now])
}

const byId = { name: 'messages.by-id', text: `select ${columns} from messages.conversation c where c.id = $1` }
/** Any conversation: for jobs only. */
export function readConversation(db: Db, id: string): Promise<Conversation | undefined> {
  return db.row<Conversation>(byId, [id])
}

const file = {
  name: 'messages.find-file',
  text: `select 1 as found from messages.conversation c join messages.message m on m.conversation_id = c.id
    where c.seller_order_id = $1 and m.files @> jsonb_build_array(jsonb_build_object('id', $2::text))`,
}
/** Whether a file was sent with a message about this seller order. */
export async function isFileOf(db: Db, sellerOrderId: string, fileId: string): Promise<boolean> {
  return (await db.row(file, [sellerOrderId, fileId])) !== undefined
}

/** Stands where the owner key of an erased buyer was: their message is blank. */
const erasedWriter = 'erased'

const forget = {
  name: 'messages.forget',
  text: `with gone as (delete from messages.conversation where customer_order_id = any($1) returning id)
    select gone.id::text, array(select m.id::text from messages.message m where m.conversation_id = gone.id) as messages from gone`,
}
/** Deletes the conversations about these orders. Returns their ids, with those of their messages. */
export function deleteConversations(db: Db, customerOrderIds: readonly string[]): Promise<{ id: string; messages: string[] }[]> {
  return db.rows(forget, [customerOrderIds])
}

const forgetBy = {
  name: 'messages.forget-written-by',
  text: `with blanked as (
      update messages.message m set body = '', written_by = '${erasedWriter}',
        files = jsonb_path_query_array(m.files, '$[*] ? (@.id == $kept[*])', jsonb_build_object('kept', to_jsonb($3::text[])))
      from messages.conversation c
      where m.written_by = $1 and m.author = 'buyer' and c.id = m.conversation_id and c.customer_order_id <> all($2) returning m.id
    ), closed as (delete from messages.report where message_id in (select id from blanked))
    select id::text from blanked`,
}
export interface KeptOfMessages {
  /** Orders whose conversations stay as they are. */
  customerOrderIds: readonly string[]
  /** Ids of files that stay with their messages. */
  files: readonly string[]
}
/** Blanks what a buyer has written: the conversations stay. Returns the ids of the messages. */
export async function blankMessagesBy(db: Db, writer: string, { customerOrderIds, files }: KeptOfMessages): Promise<string[]> {
  return (await db.rows<{ id: string }>(forgetBy, [writer, customerOrderIds, files])).map(({ id }) => id)
}

const isTheirs = 'c.customer_order_id <> all($3) and (c.owner = $1 or c.customer_order_id = any($2))'
const allOf = {
  name: 'messages.all-of',
  text: `with found as (
      select c.id as conversation, null::uuid as message from messages.conversation c where ${isTheirs}
      union all
      select m.conversation_id, m.id from messages.message m join messages.conversation c on c.id = m.conversation_id
      where m.written_by = $1 and m.author = 'buyer' and not (${isTheirs})
    )
    select c.seller_order_id as "orderId", case when c.owner = $1 or c.customer_order_id = any($2) and c.customer_order_id <> all($3) then c.email end as email,
      case when c.owner = $1 or c.customer_order_id = any($2) then c.about end as about, m.author, m.body, m.at, jsonb_path_query_array(m.files, '$[*].name') as files,
      (select jsonb_build_object('reason', r.reason, 'note', r.note, 'at', r.at) from messages.report r
        where r.message_id = m.id and r.reporter = 'buyer') as report
    from found join messages.conversation c on c.id = found.conversation
      join messages.message m on m.conversation_id = c.id and (found.message is null or m.id = found.message)
    order by c.created_at, m.seq`,
}
export interface ExportedMessage {
  orderId: string
  /** The buyer's address, which gets mails about the conversation. Null where it is a colleague's. */
  email: string | null
  /** Null where the order is a colleague's. */
  about: unknown
  author: Side
  body: string
  at: Date
  /** Names of its files. */
  files: string[]
  /** The buyer's report of the message as abusive. */
  report: { reason: string; note: string; at: string } | null
}
/**
 * Everything in a customer's conversations, in all markets: for their data export. About the orders of colleagues, and of a company that
 * they have left, only what they have written themselves.
 */
export function readMessagesOf(
  db: Db,
  owner: string,
  { customerOrderIds, left }: Record<'customerOrderIds' | 'left', readonly string[]>,
): Promise<ExportedMessage[]> {
  return db.rows<ExportedMessage>(allOf, [owner, customerOrderIds, left])
}

const oneMessage = {
  name: 'messages.one',
  text: `select c.seller_order_id as "sellerOrderId", m.seq, m.author from messages.message m
    join messages.conversation c on c.id = m.conversation_id where m.id = $1`,
}
/** Any message: whether the principal may see it is decided by its seller order. */
export async function findMessage(db: Db, id: string): Promise<{ sellerOrderId: string; seq: number; author: Side } | undefined> {
  return isId(id) ? db.row(oneMessage, [id]) : undefined
}
