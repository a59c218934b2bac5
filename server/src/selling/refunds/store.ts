import type { Market } from '@purlin/contract/markets.ts'
import { newId, takeNumbers, type Db, type SealedAccounts } from '#platform'
import { byHandCode, disputedCodes, refundSteps, type Refund, type RefundState } from './refund.ts'
import type { RefundedBefore, RefundedLine } from './refund-rule.ts'

const columns = `r.id::text, r.number::text, r.customer_order_id as "customerOrderId", r.seller_order_id as "sellerOrderId",
  r.payment_id::text as "paymentId", r.cause, r.state, r.amount, r.set_off as "setOff", r.currency, r.market, r.borne_by as "bornBy", r.iban_end as "ibanEnd", r.transfers,
  r.failure_code as "failureCode",
  r.requested_at as "requestedAt", r.done_at as "doneAt", coalesce((select jsonb_agg(jsonb_build_object('offerId', l.offer_id::text,
    'quantity', l.quantity, 'goods', l.goods, 'delivery', l.delivery) order by l.offer_id) from refunds.line l where l.refund_id = r.id), '[]')
    as lines`

export type NewRefund = Pick<
  Refund,
  'customerOrderId' | 'sellerOrderId' | 'paymentId' | 'cause' | 'amount' | 'currency' | 'market' | 'bornBy' | 'lines'
> & { key: string; recovered: number; wanted: number }

/** First refund number. */
const firstNumber = 70_001

const insert = {
  name: 'refunds.insert',
  text: `with added as (
      insert into refunds.refund (id, number, key, customer_order_id, seller_order_id, payment_id, cause, amount, currency, market, borne_by, recovered, wanted, state, done_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $13, $14, case when $8 = 0 then 'done' else 'requested' end, case when $8 = 0 then now() end) on conflict (key) do nothing returning id
    ), lines as (
      insert into refunds.line (refund_id, offer_id, quantity, goods, delivery)
      select added.id, l."offerId", l.quantity, l.goods, l.delivery
      from added, jsonb_to_recordset($12::jsonb) as l ("offerId" bigint, quantity integer, goods integer, delivery integer)
    )
    select id::text from added`,
}

/** Id of the new refund; undefined when its key has one already. One without an amount is done: the provider has nothing to do. */
export async function insertRefund(db: Db, refund: NewRefund): Promise<string | undefined> {
  const { key, customerOrderId, sellerOrderId, paymentId, cause, amount, currency, market, bornBy, lines, recovered, wanted } = refund
  const number = await takeNumbers(db, 'refund', 1, firstNumber)
  const values = [newId(), number, key, customerOrderId, sellerOrderId, paymentId, cause, amount, currency, market, bornBy]
  return (await db.row<{ id: string }>(insert, [...values, JSON.stringify(lines), recovered, wanted]))?.id
}

const byId = { name: 'refunds.by-id', text: `select ${columns} from refunds.refund r where r.id = $1` }
const ofOrder = {
  name: 'refunds.of-order',
  text: `select ${columns} from refunds.refund r where r.customer_order_id = $1 and r.state <> 'not-owed' order by r.requested_at, r.number`,
}
const everyOfOrder = {
  name: 'refunds.every-of-order',
  text: `select ${columns} from refunds.refund r where r.customer_order_id = $1 order by r.requested_at, r.number`,
}
const byKey = { name: 'refunds.by-key', text: `select ${columns} from refunds.refund r where r.key = $1` }

export function readRefund(db: Db, id: string): Promise<Refund | undefined> {
  return db.row(byId, [id])
}

export function readRefundByKey(db: Db, key: string): Promise<Refund | undefined> {
  return db.row(byKey, [key])
}

/** The refunds of a customer order that are owed or made, oldest first. */
export function readRefundsOf(db: Db, customerOrderId: string): Promise<Refund[]> {
  return db.rows(ofOrder, [customerOrderId])
}

/** The same with those that turned out not to be owed: for the buyer, who was told of them. */
export function readEveryRefundOf(db: Db, customerOrderId: string): Promise<Refund[]> {
  return db.rows(everyOfOrder, [customerOrderId])
}

const about = {
  name: 'refunds.about-orders',
  text: `select r.number::text, r.seller_order_id as "sellerOrderId", r.cause, r.state, r.amount, r.set_off as "setOff", r.currency, r.iban_end as "ibanEnd",
      r.requested_at as "requestedAt", r.done_at as "doneAt",
      coalesce((select jsonb_agg(jsonb_build_object('offerId', l.offer_id::text, 'quantity', l.quantity, 'goods', l.goods, 'delivery', l.delivery)
        order by l.offer_id) from refunds.line l where l.refund_id = r.id), '[]') as lines
    from refunds.refund r where r.customer_order_id = any($1) order by r.requested_at, r.number`,
}
/** The refunds of these orders, also those that were not owed, oldest first: for their buyer's data export. Amounts in minor units. */
export function readRefundsAbout(db: Db, customerOrderIds: readonly string[]): Promise<unknown[]> {
  return db.rows<object>(about, [customerOrderIds])
}

const ofOrders = {
  name: 'refunds.amounts-of-orders',
  text: `select customer_order_id as id, sum(amount)::float8 as amount from refunds.refund
    where customer_order_id = any($1) and state <> 'not-owed' group by customer_order_id`,
}

/** What was given back of each of these orders, under way or done. Minor units; orders without refunds are not in it. */
export async function readRefundedOf(db: Db, customerOrderIds: readonly string[]): Promise<Map<string, number>> {
  const rows = customerOrderIds.length === 0 ? [] : await db.rows<{ id: string; amount: number }>(ofOrders, [customerOrderIds])
  return new Map(rows.map(({ id, amount }) => [id, amount]))
}

const linesBefore = {
  name: 'refunds.lines-before',
  text: `select l.offer_id::text as "offerId", sum(l.quantity)::int as quantity, sum(l.goods)::int as goods, sum(l.delivery)::int as delivery,
      coalesce(sum(l.quantity) filter (where r.cause = 'cancellation'), 0)::int as cancelled,
      coalesce(sum(l.delivery) filter (where r.cause = 'cancellation'), 0)::int as "cancelledDelivery"
    from refunds.refund r join refunds.line l on l.refund_id = r.id
    where r.seller_order_id = $1 and r.state <> 'not-owed' group by l.offer_id`,
}
const amountsBefore = {
  name: 'refunds.amounts-before',
  text: `select coalesce(sum(amount), 0)::int as amount, coalesce(sum(amount + recovered) filter (where borne_by = 'seller'), 0)::int as "bySeller"
    from refunds.refund where seller_order_id = $1 and state <> 'not-owed'`,
}

export async function readRefundedBefore(db: Db, sellerOrderId: string): Promise<RefundedBefore> {
  const [lines, sums] = await Promise.all([
    db.rows<RefundedLine>(linesBefore, [sellerOrderId]),
    db.row<{ amount: number; bySeller: number }>(amountsBefore, [sellerOrderId]),
  ])
  return { lines, amount: sums?.amount ?? 0, bySeller: sums?.bySeller ?? 0 }
}

const move = {
  name: 'refunds.move',
  // Requested again, it goes the way the buyer paid: no account and no reason is left of the attempts before.
  text: `update refunds.refund set state = $3, done_at = case when $3 = 'done' then now() end,
      failure_code = case when $3 = 'requested' then null else coalesce($4, failure_code) end,
      account = case when $3 in ('done', 'requested', 'not-owed') then null else account end,
      iban_end = case when $3 = 'requested' then null else iban_end end
    where id = $1 and state = any($2)`,
}

const repaid = {
  name: 'refunds.repaid',
  text: `select coalesce(sum(amount), 0)::float8 as amount from refunds.refund where customer_order_id = $1 and state = 'done'`,
}

/** What the buyer of an order has got back by refunds, whichever way. Minor units. */
export async function readRepaid(db: Db, customerOrderId: string): Promise<number> {
  return (await db.row<{ amount: number }>(repaid, [customerOrderId]))?.amount ?? 0
}

/** False when the refund is in another state. */
export async function moveRefund(
  db: Db,
  id: string,
  from: readonly RefundState[],
  to: RefundState,
  failureCode: string | null = null,
): Promise<boolean> {
  return (await db.run(move, [id, from.filter((state) => refundSteps[state].includes(to)), to, failureCode])) === 1
}

const recovered = { name: 'refunds.recovered', text: 'select recovered from refunds.refund where id = $1' }

/** What a refund gives back to the marketplace beside the buyer's amount. Minor units. */
export async function readRecovered(db: Db, id: string): Promise<number> {
  return (await db.row<{ recovered: number }>(recovered, [id]))?.recovered ?? 0
}

const keyOf = { name: 'refunds.key', text: 'select key from refunds.refund where id = $1' }

/** What caused a refund, as its idempotency key says. */
export async function readRefundKey(db: Db, id: string): Promise<string | undefined> {
  return (await db.row<{ key: string }>(keyOf, [id]))?.key
}

const limitedLater = {
  name: 'refunds.limited-later',
  // Unknown of one that a process of the release before has written.
  text: `select 1 from refunds.refund where seller_order_id = $1 and number > $2 and state <> 'not-owed' and coalesce(wanted > amount, true) limit 1`,
}

/** Whether a refund of the same part that was requested later gave less because earlier ones were counted. */
export async function hasLimitedLater(db: Db, { sellerOrderId, number }: Pick<Refund, 'sellerOrderId' | 'number'>): Promise<boolean> {
  return (await db.row(limitedLater, [sellerOrderId, number])) !== undefined
}

const disputed = {
  name: 'refunds.disputed',
  text: `select ${columns} from refunds.refund r
    where r.customer_order_id = $1 and (r.state = 'iban-needed' or (r.state = 'on-hold' and r.failure_code = any($2))
      or (r.state = 'transferring' and r.failure_code = $3)) order by r.number`,
}

/** Refunds of an order that a chargeback keeps waiting, or has to: their money has not left, oldest first. */
export function readDisputedRefunds(db: Db, customerOrderId: string): Promise<Refund[]> {
  return db.rows(disputed, [customerOrderId, disputedCodes, byHandCode])
}

const markByHand = {
  name: 'refunds.mark-by-hand',
  text: `update refunds.refund set failure_code = $2 where id = $1 and state = 'transferring'`,
}

/** The provider makes no transfers: from now on the operator may confirm one of their own. */
export async function markForHand(db: Db, id: string): Promise<void> {
  await db.run(markByHand, [id, byHandCode])
}

const settleByHand = {
  name: 'refunds.settle-by-hand',
  text: `update refunds.refund set state = 'done', done_at = now(), account = null, failure_code = $2, transfers = transfers + 1
    where id = $1 and (state = 'on-hold' or (state = 'transferring' and failure_code = $2) or (state = 'iban-needed' and $3)) returning transfers`,
}

/**
 * The number of the transfer; undefined while the provider may still transfer the money itself, or somebody may still name an account.
 * @param isUnnamed whether nobody is left who may name one
 */
export async function moveByHand(db: Db, id: string, isUnnamed: boolean): Promise<number | undefined> {
  return (await db.row<{ transfers: number }>(settleByHand, [id, byHandCode, isUnnamed]))?.transfers
}

const recordSetOff = { name: 'refunds.record-set-off', text: 'update refunds.refund set set_off = set_off + $2 where id = $1' }

/** A chargeback has paid this much of a refund, which is owed no more. Minor units. */
export async function addSetOff(db: Db, id: string, amount: number): Promise<void> {
  await db.run(recordSetOff, [id, amount])
}

const giveAccount = {
  name: 'refunds.give-account',
  text: `update refunds.refund set state = 'transferring', account = $2, iban_end = $3, transfers = transfers + 1, failure_code = null
    where id = $1 and state = 'iban-needed' returning transfers`,
}

/** Stores the sealed account for a refund that needs one; undefined when it does not. */
export async function writeAccount(db: Db, id: string, account: Buffer, ibanEnd: string): Promise<number | undefined> {
  return (await db.row<{ transfers: number }>(giveAccount, [id, account, ibanEnd]))?.transfers
}

const readAccountOf = {
  name: 'refunds.account',
  text: `select account, transfers from refunds.refund where id = $1 and state = 'transferring'`,
}

export function readAccount(db: Db, id: string): Promise<{ account: Buffer; transfers: number } | undefined> {
  return db.row(readAccountOf, [id])
}

const openOf = {
  name: 'refunds.open-of',
  text: `select customer_order_id as "customerOrderId", seller_order_id as "sellerOrderId" from refunds.refund
    where customer_order_id = any($1) and state not in ('done', 'not-owed')
    group by 1, 2 order by bool_or(state = 'iban-needed') desc, min(requested_at), 2`,
}

/** The parts of these orders whose money is still on its way back, those first that wait for an account. */
export function findOpenRefunds(
  db: Db,
  customerOrderIds: readonly string[],
): Promise<{ customerOrderId: string; sellerOrderId: string }[]> {
  return db.rows(openOf, [customerOrderIds])
}

const idsOf = { name: 'refunds.ids-of', text: 'select id::text from refunds.refund where customer_order_id = any($1)' }

/** The ids of all refunds of these orders. */
export async function readRefundIdsOf(db: Db, customerOrderIds: readonly string[]): Promise<string[]> {
  return (await db.rows<{ id: string }>(idsOf, [customerOrderIds])).map(({ id }) => id)
}

const open = {
  name: 'refunds.open',
  text: `select ${columns} from refunds.refund r where r.market = $1
      and (r.state in ('on-hold', 'transferring', 'iban-needed') or (r.state = 'requested' and r.requested_at < now() - interval '1 hour'))
    order by r.requested_at limit $2`,
}

/** Refunds that wait for somebody, and those the provider has not answered for an hour, oldest first: for the operator. */
export function readOpenRefunds(db: Db, market: Market, limit: number): Promise<Refund[]> {
  return db.rows(open, [market, limit])
}

export const sealedRefunds: SealedAccounts = {
  otherwise: {
    name: 'refunds.sealed-with-another-key',
    text: `select id::text, account as sealed from refunds.refund where account is not null and substring(account for 12) <> $1
      limit 1000 for update skip locked`,
  },
  replace: { name: 'refunds.seal-anew', text: 'update refunds.refund set account = $2 where id = $1' },
}
