import type { Market } from '@purlin/contract/markets.ts'
import { newId, type Db } from '#platform'
import type { ReturnActor, ReturnRequest, ReturnState } from './return-request.ts'

const columns = `r.id::text, r.number::text, r.customer_order_id as "customerOrderId", r.seller_order_id as "sellerOrderId", r.seller_id as "sellerId",
  r.market, r.reason, r.basis, r.wish, r.wished_amount as "wishedAmount", r.method, r.state, r.lines, r.description, r.photos::text[] as photos, r.finding,
  r.decision as exception, r.decision_note as "decisionNote", r.rating, r.requested_at as "requestedAt",
  r.updated_at as "updatedAt", r.label_file as "labelFile", r.tracking_number as "trackingNumber", r.label_round as "labelRound", r.replacement_order as "replacementOrder",
  exists (select 1 from returns.step s where s.request_id = r.id and s.to_state in ('refunded', 'exchanged')) as "isSettled",
  exists (select 1 from returns.step s where s.request_id = r.id and s.to_state in ('in-transit', 'received')) as "wasHandedOver",
  r.state = 'in-transit' and exists (select 1 from returns.step s where s.request_id = r.id and s.to_state = 'in-transit'
    and s.actor = 'system' and s.at >= r.updated_at) as "isCarried",
  exists (select 1 from returns.collection c where c.request_id = r.id) as "hasCollection"`

const insert = {
  name: 'returns.insert',
  text: `insert into returns.request (id, number, customer_order_id, seller_order_id, seller_id, market, reason, basis, wish, method, state, lines,
      description, photos, token_hash, wished_amount, written_by)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'requested', $11, $12, $13::uuid[], $14, $15, $16)`,
}

export async function insertReturn(
  db: Db,
  made: Omit<
    ReturnRequest,
    | 'state'
    | 'finding'
    | 'exception'
    | 'decisionNote'
    | 'rating'
    | 'isSettled'
    | 'wasHandedOver'
    | 'isCarried'
    | 'hasCollection'
    | 'requestedAt'
    | 'updatedAt'
    | 'labelFile'
    | 'trackingNumber'
    | 'labelRound'
    | 'replacementOrder'
  > & {
    tokenHash: Buffer
    /** The owner key of the customer who asks for it. */
    writtenBy: string | null
  },
): Promise<void> {
  const { id, number, customerOrderId, sellerOrderId, sellerId, market, reason, basis, wish, method } = made
  const head = [id, number, customerOrderId, sellerOrderId, sellerId, market, reason, basis, wish, method]
  await db.run(insert, [
    ...head,
    JSON.stringify(made.lines),
    made.description,
    made.photos,
    made.tokenHash,
    made.wishedAmount,
    made.writtenBy,
  ])
}

const byId = { name: 'returns.by-id', text: `select ${columns} from returns.request r where r.id = $1 and r.market = $2` }
const byIdLocked = { name: 'returns.by-id-locked', text: `${byId.text} for update` }
const byToken = { name: 'returns.by-token', text: `select ${columns} from returns.request r where r.token_hash = $1` }
const reported = {
  name: 'returns.take-report',
  text: `update returns.request r set reported_at = $2 where r.tracking_number = $1 and (r.reported_at is null or r.reported_at <= $2)
    returning ${columns}`,
}
const anyMarket = { name: 'returns.of-any-market', text: `select ${columns} from returns.request r where r.id = $1` }
const ofOrder = {
  name: 'returns.of-order',
  text: `select ${columns} from returns.request r where r.customer_order_id = $1 order by r.requested_at`,
}
const ofSeller = {
  name: 'returns.of-seller',
  text: `select ${columns} from returns.request r where r.seller_id = $1 and r.market = $2
      and r.state not in ('refused', 'refunded', 'exchanged', 'closed') and (r.state <> 'lapsed' or r.updated_at > $5)
      and r.number > $3 order by r.number limit $4`,
}

export function readReturn(db: Db, id: string, market: Market): Promise<ReturnRequest | undefined> {
  return db.row(byId, [id, market])
}

export function readReturnByToken(db: Db, hash: Buffer): Promise<ReturnRequest | undefined> {
  return db.row(byToken, [hash])
}

/** Locks the return of a parcel with a report of this time; undefined if a newer one has been taken. */
export function takeReport(db: Db, trackingNumber: string, at: Date): Promise<ReturnRequest | undefined> {
  return db.row(reported, [trackingNumber, at])
}

/** For the worker, which has no market of its own. */
export function readAnyReturn(db: Db, id: string): Promise<ReturnRequest | undefined> {
  return db.row(anyMarket, [id])
}

const feedback = { name: 'returns.feedback', text: 'select feedback from returns.request where id = $1' }
export async function readFeedback(db: Db, id: string): Promise<string | null | undefined> {
  return (await db.row<{ feedback: string | null }>(feedback, [id]))?.feedback
}

export interface RatedReturnRow {
  id: string
  number: string
  sellerOrderId: string
  reason: string
  rating: number
  feedback: string | null
  updatedAt: Date
}
const rated = {
  name: 'returns.rated',
  text: `select r.id::text, r.number::text, r.seller_order_id as "sellerOrderId", r.reason, r.rating, r.feedback, r.updated_at as "updatedAt"
    from returns.request r where r.seller_id = $1 and r.market = $2 and r.rating is not null and r.number < $3 order by r.number desc limit $4`,
}
/** Returns that their buyers have rated, latest first, before a number. */
export function readRatedReturns(
  db: Db,
  which: { sellerId: number; market: Market; before: number; limit: number },
): Promise<RatedReturnRow[]> {
  return db.rows(rated, [which.sellerId, which.market, which.before, which.limit])
}

const rate = { name: 'returns.rate', text: 'update returns.request set rating = $2, feedback = $3 where id = $1' }
export async function writeFeedback(db: Db, id: string, said: { rating: number; feedback: string | null }): Promise<void> {
  await db.run(rate, [id, said.rating, said.feedback])
}

const replaced = { name: 'returns.replaced', text: 'update returns.request set replacement_order = $2 where id = $1' }
export async function writeReplacement(db: Db, id: string, customerOrderId: string): Promise<void> {
  await db.run(replaced, [id, customerOrderId])
}

const labelled = {
  name: 'returns.labelled',
  text: `update returns.request set label_file = $2, tracking_number = $3
    where id = $1 and label_file is null and label_round = $4 and forgotten_at is null`,
}
/** False when the return has a label already, needs a later one, or has been forgotten. */
export async function writeLabel(
  db: Db,
  id: string,
  { labelFile, trackingNumber, round }: { labelFile: string; trackingNumber: string; round: number },
): Promise<boolean> {
  return (await db.run(labelled, [id, labelFile, trackingNumber, round])) === 1
}

const unlabelled = {
  name: 'returns.drop-label',
  text: 'update returns.request set label_file = null, tracking_number = null, reported_at = null, label_round = label_round + 1 where id = $1',
}
/** The return needs a label of the next round. */
export async function dropLabel(db: Db, id: string): Promise<void> {
  await db.run(unlabelled, [id])
}

const anyMarketLocked = { name: 'returns.of-any-market-locked', text: `${anyMarket.text} for update` }
/** For the worker. */
export function lockAnyReturn(db: Db, id: string): Promise<ReturnRequest | undefined> {
  return db.row(anyMarketLocked, [id])
}

export function lockReturn(db: Db, id: string, market: Market): Promise<ReturnRequest | undefined> {
  return db.row(byIdLocked, [id, market])
}

export function readReturnsOf(db: Db, customerOrderId: string): Promise<ReturnRequest[]> {
  return db.rows(ofOrder, [customerOrderId])
}

/** Unfinished returns of a seller, with those that have lapsed since a time, oldest first, after a number. */
export function readReturnsToHandle(
  db: Db,
  which: { sellerId: number; market: Market; after: number; limit: number; lapsedSince: Date },
): Promise<ReturnRequest[]> {
  return db.rows(ofSeller, [which.sellerId, which.market, which.after, which.limit, which.lapsedSince])
}

const returning = {
  name: 'returns.returning',
  text: `select seller_order_id as id from returns.request where seller_order_id = any($1)
    and state not in ('refused', 'refunded', 'exchanged', 'lapsed', 'closed')`,
}
/** Those of these seller orders from which goods are coming back. */
export async function readReturning(db: Db, sellerOrderIds: readonly string[]): Promise<string[]> {
  return (await db.rows<{ id: string }>(returning, [sellerOrderIds])).map(({ id }) => id)
}

const sentBack = {
  name: 'returns.sent-back',
  text: `select r.seller_order_id as "sellerOrderId", r.replacement_order as "by" from returns.request r
    where r.seller_order_id = any($1) and r.replacement_order is not null
      and exists (select 1 from returns.step s where s.request_id = r.id and s.to_state = 'refused')`,
}
/** Those of these seller orders whose goods were refused after an inspection, with the orders that bring them back. */
export function readSentBack(db: Db, sellerOrderIds: readonly string[]): Promise<{ sellerOrderId: string; by: string }[]> {
  return db.rows(sentBack, [sellerOrderIds])
}

const following = {
  name: 'returns.following',
  text: `with recursive line as (
      select w.id as paid, w.id, regexp_replace(w.id, '-[0-9]+$', '') as customer_order from unnest($1::text[]) w (id)
      union
      select l.paid, r.replacement_order || substring(r.seller_order_id from '-[0-9]+$'), r.replacement_order
      from line l join returns.request r on r.customer_order_id = l.customer_order and r.seller_order_id = l.id
      where r.replacement_order is not null)
    select paid, id from line where id <> paid`,
}
/** The orders without payment that follow from returns of these seller orders, at any remove. */
export function readFollowing(db: Db, sellerOrderIds: readonly string[]): Promise<{ paid: string; id: string }[]> {
  return db.rows(following, [sellerOrderIds])
}

const toRemind = {
  name: 'returns.take-to-remind',
  text: `update returns.request r set reminded_at = $2 where r.id in (select id from returns.request
      where state = 'label-sent' and updated_at <= $1 and reminded_at is null order by updated_at limit 100 for update skip locked)
    returning ${columns}`,
}
/** Returns whose goods were to be sent back since before `since` and have not been; each is returned once. */
export function takeToRemind(db: Db, since: Date, now: Date): Promise<ReturnRequest[]> {
  return db.rows(toRemind, [since, now])
}

const overdue = {
  name: 'returns.lock-overdue',
  text: `select ${columns} from returns.request r where r.state = 'label-sent' and r.updated_at <= $1 and r.reminded_at <= $2
    order by r.updated_at limit 100 for update of r skip locked`,
}
/** Returns whose goods were to be sent back since before `since`, and whose buyers were reminded before `remindedBefore`. */
export function lockOverdue(db: Db, since: Date, remindedBefore: Date): Promise<ReturnRequest[]> {
  return db.rows(overdue, [since, remindedBefore])
}

const awaited = {
  name: 'returns.take-awaited',
  text: `update returns.request r set reminded_at = $2 where r.id in (select id from returns.request
      where state = 'in-transit' and updated_at <= $1 and (reminded_at is null or reminded_at < updated_at) order by updated_at limit 100 for update skip locked)
    returning ${columns}`,
}
/**
 * Returns whose goods have been on their way since before `since` without anybody having been reminded of that; each is returned once.
 * Those handed over under earlier releases have the time of the reminder to do so.
 */
export function takeAwaited(db: Db, since: Date, now: Date): Promise<ReturnRequest[]> {
  return db.rows(awaited, [since, now])
}

const postpone = {
  name: 'returns.postpone',
  text: `update returns.request set updated_at = $2, reminded_at = null where id = $1 and state = 'label-sent'`,
}
/** The time for handing goods over begins again. */
export async function postponeReturn(db: Db, id: string, now: Date): Promise<void> {
  await db.run(postpone, [id, now])
}

const step = {
  name: 'returns.step',
  text: `with moved as (
      update returns.request set state = $3, updated_at = now(), reminded_at = null, finding = coalesce($6, finding),
        decision_note = coalesce($7, decision_note), decision = coalesce($8, decision)
      where id = $1 and state = $2 returning id)
    insert into returns.step (id, request_id, from_state, to_state, actor) select $4, id, $2, $3, $5 from moved`,
}

/** Writes a step; false when the return is in another state. */
export async function writeReturnStep(
  db: Db,
  id: string,
  move: {
    from: ReturnState
    to: ReturnState
    actor: ReturnActor
    finding?: string | null
    note?: string | null
    exception?: string | null
  },
): Promise<boolean> {
  const { from, to, actor, finding = null, note = null, exception = null } = move
  return (await db.run(step, [id, from, to, newId(), actor, finding, note, exception])) === 1
}

const forget = [
  {
    name: 'returns.forget',
    text: `update returns.request set description = '', photos = '{}', feedback = null, decision_note = null, written_by = null
      where customer_order_id = any($1)
      returning id::text`,
  },
  {
    name: 'returns.forget-notes',
    text: 'update returns.cancellation set note = null where customer_order_id = any($1) returning id::text',
  },
]
/** Label and collection address of the returns that `which` selects. */
const forgetWayBack = (which: string) => `with forgotten as (
      select r.id, r.method, r.label_file, r.label_round, coalesce(c.round, 0) as rounds
      from returns.request r left join returns.collection c on c.request_id = r.id where ${which}),
    marked as (update returns.request r set label_file = null, forgotten_at = now() from forgotten f where r.id = f.id),
    addresses as (update returns.collection c set address = '{}' from forgotten f where c.request_id = f.id)
  select id::text, method, label_file as "labelFile", label_round as "labelRound", rounds from forgotten`
const wayBackOfOrders = { name: 'returns.forget-way-back', text: forgetWayBack('r.customer_order_id = any($1) for update of r') }
const before = 'order by r.requested_at limit $2 for update of r skip locked'
const oldWaysBack = [
  {
    name: 'returns.forget-old-labels',
    // A claim that waits for its seller has no label yet, and may need one. `requested_at` is that of the index.
    text: forgetWayBack(
      `r.method = 'label' and r.forgotten_at is null and r.requested_at < $1 and r.updated_at < $1 and r.state <> 'requested' ${before}`,
    ),
  },
  { name: 'returns.forget-old-collections', text: forgetWayBack(`c.address <> '{}' and c.updated_at < $1 ${before}`) },
]

export interface ForgottenReturn extends Pick<ReturnRequest, 'id' | 'method'> {
  /** The key of the label it had. */
  labelFile: string | null
  /** Labels before that one. */
  labelRound: number
  /** Bookings of its collection. */
  rounds: number
}

const isForgotten = { name: 'returns.is-forgotten', text: 'select 1 from returns.request where id = $1 and forgotten_at is not null' }
/** Whether the label and collection address of the return have been removed. */
export async function isForgottenReturn(db: Db, id: string): Promise<boolean> {
  return (await db.row(isForgotten, [id])) !== undefined
}

/** Returns of these orders lose their labels and collection addresses. */
export function forgetWaysBackOf(db: Db, customerOrderIds: readonly string[]): Promise<ForgottenReturn[]> {
  return db.rows<ForgottenReturn>(wayBackOfOrders, [customerOrderIds])
}

/** The same for returns whose last step was, and collections changed, before a time. */
export async function forgetWaysBackBefore(db: Db, time: Date, limit: number): Promise<ForgottenReturn[]> {
  const found: ForgottenReturn[] = []
  for (const statement of oldWaysBack) found.push(...(await db.rows<ForgottenReturn>(statement, [time, limit])))
  return found
}

/** Deletes what was written and shown about the returns and cancellations of these orders; figures stay. Returns their ids. */
export async function forgetReturns(db: Db, customerOrderIds: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const statement of forget) found.push(...(await db.rows<{ id: string }>(statement, [customerOrderIds])).map(({ id }) => id))
  return [...new Set(found)]
}

const forgetBy = {
  name: 'returns.forget-writer',
  text: `update returns.request set description = '', written_by = null
    where written_by = $1 and state in ('refunded', 'exchanged', 'refused', 'lapsed', 'closed') returning id::text`,
}
const openBy = { name: 'returns.open-by', text: 'select count(*)::int as count from returns.request where written_by = $1' }
/** Blanks what a customer has written about returns that have ended, whoever has placed the orders. Returns their ids, and the number of those that have not. */
export async function forgetDescriptionsBy(db: Db, writer: string): Promise<{ ids: string[]; open: number }> {
  const ids = (await db.rows<{ id: string }>(forgetBy, [writer])).map(({ id }) => id)
  return { ids, open: (await db.row<{ count: number }>(openBy, [writer]))?.count ?? 0 }
}

const isTheirs = 'r.customer_order_id = any($1)'
const ofOrders = {
  name: 'returns.of-orders',
  text: `select r.customer_order_id as "customerOrderId", r.number::text, r.reason, r.wish, r.wished_amount as "wishedAmount",
      case when ${isTheirs} then r.state end as state, r.lines, r.description,
      r.photos::text[] as photos, case when ${isTheirs} then r.decision_note end as "decisionNote", case when ${isTheirs} then r.rating end as rating,
      case when ${isTheirs} then r.feedback end as feedback, r.requested_at as "requestedAt",
      (select jsonb_build_object('state', c.state, 'day', c.day, 'slot', c.slot, 'address', c.address) from returns.collection c
        where c.request_id = r.id and ${isTheirs}) as collection
    from returns.request r where ${isTheirs} or r.written_by = $2 order by r.requested_at`,
}
/** The returns of these orders, and what this customer has written about those of others: for their data export. */
export function readReturnsAbout(db: Db, customerOrderIds: readonly string[], writer: string): Promise<unknown[]> {
  return db.rows<object>(ofOrders, [customerOrderIds, writer])
}
