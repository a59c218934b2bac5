import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { Dispute, DisputeState, DisputeStep } from './dispute.ts'

const columns = `d.id::text, d.number::text, d.message_id::text as "messageId", d.seller_order_id as "sellerOrderId",
  d.customer_order_id as "customerOrderId", d.seller_id as "sellerId", d.market, d.reason, d.wish, d.state, d.wanted, d.offered, d.decided,
  d.due_at as "dueAt", d.opened_at as "openedAt", d.ended_at as "endedAt", d.refund_id as "refundId"`

const insert = {
  name: 'disputes.insert',
  text: `insert into disputes.dispute as d (id, number, message_id, seller_order_id, customer_order_id, seller_id, market, reason, wish, state, wanted,
      due_at, opened_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'open', $10, $11, $12)
    on conflict do nothing returning ${columns}`,
}
export type NewDispute = Omit<Dispute, 'state' | 'offered' | 'decided' | 'endedAt' | 'refundId'>

/** Undefined when the message or the seller order has a dispute already. */
export function insertDispute(db: Db, dispute: NewDispute): Promise<Dispute | undefined> {
  const { id, number, messageId, sellerOrderId, customerOrderId, sellerId, market, reason, wish, wanted, dueAt, openedAt } = dispute
  const values = [id, number, messageId, sellerOrderId, customerOrderId, sellerId, market, reason, wish, wanted, dueAt, openedAt]
  return db.row<Dispute>(insert, values)
}

const byMessage = { name: 'disputes.by-message', text: `select ${columns} from disputes.dispute d where d.message_id = $1` }
/** The dispute about a message: whether the principal may see it is decided by its seller order. */
export function findDisputeOf(db: Db, messageId: string): Promise<Dispute | undefined> {
  return db.row<Dispute>(byMessage, [messageId])
}

const byId = { name: 'disputes.by-id', text: `select ${columns} from disputes.dispute d where d.id = $1` }
export function findDispute(db: Db, id: string): Promise<Dispute | undefined> {
  return db.row<Dispute>(byId, [id])
}

const lock = { name: 'disputes.lock', text: `select ${columns} from disputes.dispute d where d.id = $1 for update` }
export function lockDispute(db: Db, id: string): Promise<Dispute | undefined> {
  return db.row<Dispute>(lock, [id])
}

const move = {
  name: 'disputes.move',
  text: `update disputes.dispute set state = $2, due_at = $3, ended_at = $4, offered = coalesce($5, offered), decided = coalesce($6, decided),
      refund_id = coalesce($7, refund_id) where id = $1`,
}
export interface Moved {
  state: DisputeState
  dueAt: Date | null
  endedAt: Date | null
  offered: number | null
  decided: number | null
  refundId: string | null
}
export async function moveDisputeTo(db: Db, id: string, { state, dueAt, endedAt, offered, decided, refundId }: Moved): Promise<void> {
  await db.run(move, [id, state, dueAt, endedAt, offered, decided, refundId])
}

const addStep = {
  name: 'disputes.add-step',
  text: `insert into disputes.step (dispute_id, position, actor, action, note, amount, files, at, written_by)
    select $1, coalesce(max(position), 0) + 1, $2, $3, $4, $5, $6, $7, $8 from disputes.step where dispute_id = $1 returning position`,
}
/**
 * Appends a step to a locked dispute. Returns its number.
 * @param writer the owner key of the customer who made it
 */
export async function appendStep(db: Db, disputeId: string, step: Omit<DisputeStep, 'position'>, writer: string | null): Promise<number> {
  const { actor, action, note, amount, files, at } = step
  const values = [disputeId, actor, action, note, amount, JSON.stringify(files), at, writer]
  return (await db.row<{ position: number }>(addStep, values))?.position ?? 0
}

const steps = {
  name: 'disputes.steps',
  text: 'select position, actor, action, note, amount, files, at from disputes.step where dispute_id = $1 order by position',
}
export function readSteps(db: Db, disputeId: string): Promise<DisputeStep[]> {
  return db.rows<DisputeStep>(steps, [disputeId])
}

const added = {
  name: 'disputes.count-notes',
  text: `select count(*)::int as count from disputes.step where dispute_id = $1 and actor = $2 and action = 'add' and at > $3`,
}
/** What a party has added to a locked dispute since an instant. */
export async function countNotes(db: Db, disputeId: string, actor: string, since: Date): Promise<number> {
  return (await db.row<{ count: number }>(added, [disputeId, actor, since]))?.count ?? 0
}

const ofSeller = {
  name: 'disputes.of-seller',
  text: `select ${columns} from disputes.dispute d where d.seller_id = $1 and d.market = $2 order by d.opened_at desc limit 50`,
}
export function readDisputesOfSeller(db: Db, sellerId: number, market: Market): Promise<Dispute[]> {
  return db.rows<Dispute>(ofSeller, [sellerId, market])
}

const ofOrder = {
  name: 'disputes.of-order',
  text: `select ${columns} from disputes.dispute d where d.customer_order_id = $1 order by d.opened_at`,
}
export function readDisputesOfOrder(db: Db, customerOrderId: string): Promise<Dispute[]> {
  return db.rows<Dispute>(ofOrder, [customerOrderId])
}

const toAnswer = {
  name: 'disputes.to-answer',
  text: `select ${columns} from disputes.dispute d where d.seller_order_id = any($1) and d.ended_at is null and d.state = any($2)
    order by d.due_at nulls last limit 20`,
}
/** Open disputes about these seller orders in one of these states, most urgent first. */
export function readOpenAbout(db: Db, sellerOrderIds: readonly string[], states: readonly DisputeState[]): Promise<Dispute[]> {
  return db.rows<Dispute>(toAnswer, [sellerOrderIds, states])
}

const inState = {
  name: 'disputes.in-state',
  text: `select ${columns} from disputes.dispute d where d.state = $1 order by d.due_at nulls last, d.opened_at limit 100`,
}
export function readDisputesIn(db: Db, state: DisputeState): Promise<Dispute[]> {
  return db.rows<Dispute>(inState, [state])
}

const openAbout = {
  name: 'disputes.open-about',
  text: 'select seller_order_id as id from disputes.dispute where seller_order_id = any($1) and ended_at is null',
}
/** Those of these seller orders about which a dispute is open: their money waits for its end. */
export async function findDisputed(db: Db, sellerOrderIds: readonly string[]): Promise<Set<string>> {
  return new Set((await db.rows<{ id: string }>(openAbout, [sellerOrderIds])).map(({ id }) => id))
}

const due = {
  name: 'disputes.due',
  text: 'select id::text from disputes.dispute where due_at <= $1 and state = any($2) order by due_at limit 100',
}
/** Disputes in one of these states whose next move is overdue. */
export async function readDue(db: Db, now: Date, states: readonly string[]): Promise<string[]> {
  return (await db.rows<{ id: string }>(due, [now, states])).map(({ id }) => id)
}

const file = {
  name: 'disputes.find-file',
  text: `select 1 as found from disputes.step where dispute_id = $1 and files @> jsonb_build_array(jsonb_build_object('id', $2::text))`,
}
export async function isFileOf(db: Db, disputeId: string, fileId: string): Promise<boolean> {
  return (await db.row(file, [disputeId, fileId])) !== undefined
}

const forget = {
  name: 'disputes.forget',
  text: `update disputes.step set note = '', files = '[]', written_by = null where dispute_id in (select id from disputes.dispute where customer_order_id = any($1)) returning dispute_id::text as id`,
}
/** Deletes what people wrote in the disputes about these orders; figures and decisions stay. Returns the disputes' ids. */
export async function forgetDisputes(db: Db, customerOrderIds: readonly string[]): Promise<string[]> {
  return [...new Set((await db.rows<{ id: string }>(forget, [customerOrderIds])).map(({ id }) => id))]
}

const forgetBy = {
  name: 'disputes.forget-writer',
  text: `update disputes.step s set note = '', written_by = null from disputes.dispute d
    where d.id = s.dispute_id and s.written_by = $1 and d.ended_at is not null returning d.id::text`,
}
const openNotesBy = { name: 'disputes.open-notes-by', text: 'select count(*)::int as count from disputes.step where written_by = $1' }
/**
 * Blanks what a customer has written in disputes that are over, whoever has placed the orders. Returns these disputes' ids, and how many of
 * their notes remain in open ones, of which they are evidence.
 */
export async function forgetNotesBy(db: Db, writer: string): Promise<{ ids: string[]; open: number }> {
  const ids = (await db.rows<{ id: string }>(forgetBy, [writer])).map(({ id }) => id)
  return { ids, open: (await db.row<{ count: number }>(openNotesBy, [writer]))?.count ?? 0 }
}

const notes = {
  name: 'disputes.notes-about',
  text: `select d.seller_order_id as "orderId", d.number::text, s.action, s.note, s.amount, s.at,
      jsonb_path_query_array(s.files, '$[*].name') as files from disputes.dispute d
    join disputes.step s on s.dispute_id = d.id where d.customer_order_id = any($1) or s.written_by = $2 order by d.opened_at, s.position`,
}
/** Every step of the disputes about these orders, and those that this customer has written about others: for their data export. */
export function readDisputesAbout(db: Db, customerOrderIds: readonly string[], writer: string): Promise<unknown[]> {
  return db.rows<object>(notes, [customerOrderIds, writer])
}
