import type { Currency, Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { PayoutLine } from './payout.ts'

export interface Sale {
  sellerOrderId: string
  customerOrderId: string
  sellerId: number
  market: Market
  currency: Currency
  sold: number
  commission: number
  commissionVat: number
  withheldVat: number
  payableAt: Date | null
}

const write = {
  name: 'payouts.write-sale',
  text: `insert into payouts.sale as s (seller_order_id, customer_order_id, seller_id, market, currency, sold, commission, commission_vat, payable_at, withheld_vat)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    on conflict (seller_order_id) do update set is_open = true, payable_at = case when s.settled_at is null then excluded.payable_at else s.payable_at end`,
}

/** Opens a sale, or opens it again: what a settled one has left over is due at once. */
export async function writeSale(db: Db, sale: Sale): Promise<void> {
  const { sellerOrderId, customerOrderId, sellerId, market, currency, sold, commission, commissionVat, payableAt, withheldVat } = sale
  await db.run(write, [sellerOrderId, customerOrderId, sellerId, market, currency, sold, commission, commissionVat, payableAt, withheldVat])
}

export type DueSale = Omit<Sale, 'payableAt'> & { isSettled: boolean }

const due = {
  name: 'payouts.lock-due-sales',
  text: `select seller_order_id as "sellerOrderId", customer_order_id as "customerOrderId", seller_id as "sellerId", market, currency,
      sold, commission, commission_vat as "commissionVat", withheld_vat as "withheldVat", settled_at is not null as "isSettled"
    from payouts.sale where currency = $1 and seller_id = $2 and is_open and payable_at <= $3 and seller_order_id > $4
    order by seller_order_id limit $5 for update`,
}

/** The next sales of a seller that are due, locked: two runs never settle the same one. */
export function lockDueSales(
  db: Db,
  about: { currency: Currency; sellerId: number; cutoff: Date; after: string },
  limit: number,
): Promise<DueSale[]> {
  return db.rows(due, [about.currency, about.sellerId, about.cutoff, about.after, limit])
}

const settle = {
  name: 'payouts.settle-sales',
  text: `update payouts.sale set is_open = false, settled_at = coalesce(settled_at, $2) where seller_order_id = any($1)`,
}

export async function settleSales(db: Db, sellerOrderIds: readonly string[], now: Date): Promise<void> {
  if (sellerOrderIds.length > 0) await db.run(settle, [sellerOrderIds, now])
}

const addLines = {
  name: 'payouts.add-lines',
  text: `insert into payouts.line (run_id, seller_id, seller_order_id, customer_order_id, market, sold, commission, commission_vat, withheld_vat, refunded, amount)
    select $1, $2, l.* from unnest($3::text[], $4::text[], $5::text[], $6::integer[], $7::integer[], $8::integer[], $9::integer[], $10::integer[], $11::integer[]) as l`,
}

export async function insertLines(db: Db, runId: string, sellerId: number, lines: readonly PayoutLine[]): Promise<void> {
  if (lines.length === 0) return
  await db.run(addLines, [
    runId,
    sellerId,
    lines.map(({ sellerOrderId }) => sellerOrderId),
    lines.map(({ customerOrderId }) => customerOrderId),
    lines.map(({ market }) => market),
    lines.map(({ sold }) => sold),
    lines.map(({ commission }) => commission),
    lines.map(({ commissionVat }) => commissionVat),
    lines.map(({ withheldVat }) => withheldVat),
    lines.map(({ refunded }) => refunded),
    lines.map(({ amount }) => amount),
  ])
}

const readPage = {
  name: 'payouts.lines-page',
  text: `select seller_order_id as "sellerOrderId", customer_order_id as "customerOrderId", market, sold, commission,
      commission_vat as "commissionVat", withheld_vat as "withheldVat", refunded, amount
    from payouts.line where run_id = $1 and seller_id = $2 and seller_order_id > $3 order by seller_order_id limit $4`,
}

/** Lines of a seller in a run, a page at a time. */
export function readLines(db: Db, about: { runId: string; sellerId: number }, after: string, limit: number): Promise<PayoutLine[]> {
  return db.rows(readPage, [about.runId, about.sellerId, after, limit])
}

const nextSeller = {
  name: 'payouts.next-seller',
  text: `select least(
      (select min(seller_id) from payouts.sale where currency = $1 and seller_id > $2 and is_open and payable_at <= $3),
      (select min(seller_id) from payouts.account where currency = $1 and seller_id > $2)) as id`,
}

/** The next seller with a sale that is due, or with a balance to look at. */
export async function readNextSeller(db: Db, currency: Currency, after: number, cutoff: Date): Promise<number | null> {
  return (await db.row<{ id: number | null }>(nextSeller, [currency, after, cutoff]))?.id ?? null
}

const countDue = {
  name: 'payouts.count-due',
  text: 'select count(*)::int as count from payouts.sale where currency = $1 and is_open and payable_at <= $2',
}

export async function countDueSales(db: Db, currency: Currency, cutoff: Date): Promise<number> {
  return (await db.row<{ count: number }>(countDue, [currency, cutoff]))?.count ?? 0
}
