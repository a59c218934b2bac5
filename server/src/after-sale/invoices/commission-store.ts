import type { Currency, Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { ServiceVat } from '#pricing'
import type { InvoiceDocument } from './invoice.ts'

const open = {
  name: 'invoices.open-commission-months',
  text: `select to_char(m, 'YYYY-MM') as month
    from generate_series(
      date_trunc('month', (select min(issued_at) from invoices.invoice where kind in ('sale', 'credit-note'))),
      date_trunc('month', $1::timestamptz) - interval '1 month', interval '1 month') m
    where not exists (select 1 from invoices.commission_month c where c.month = to_char(m, 'YYYY-MM')) order by 1`,
}

/** Complete months ("2026-10") of which commission may be due, earliest first: all that have not been closed. */
export async function readOpenMonths(db: Db, now: Date): Promise<string[]> {
  return (await db.rows<{ month: string }>(open, [now])).map(({ month }) => month)
}

const close = {
  name: 'invoices.close-commission-month',
  text: 'insert into invoices.commission_month (month, closed_at) values ($1, $2) on conflict do nothing',
}

/** Remembers that nothing of a month is left to be invoiced. */
export async function closeMonth(db: Db, month: string, now: Date): Promise<void> {
  await db.run(close, [month, now])
}

const due = {
  name: 'invoices.due-commissions-of-month',
  // The day of an invoice is its market's, up to two hours ahead of UTC.
  text: `select i.seller_id as "sellerId", i.market, i.currency, $1::text as month,
      i.commission_treatment as treatment, i.commission_vat_bp as "rateBp",
      sum(i.commission)::int as commission, sum(i.commission_vat)::int as "commissionVat"
    from invoices.invoice i
    where i.kind in ('sale', 'credit-note') and left(i.document ->> 'issuedOn', 7) = $1
      and i.issued_at >= ($1 || '-01')::date - interval '1 day' and i.issued_at < ($1 || '-01')::date + interval '1 month 1 day'
      and not exists (select 1 from invoices.invoice c where c.source = 'commission:' || $1 || ':' || i.market || ':' || i.seller_id
        || coalesce(':' || i.commission_treatment || ':' || i.commission_vat_bp, ''))
    group by i.seller_id, i.market, i.currency, i.commission_treatment, i.commission_vat_bp having sum(i.commission) <> 0
    order by i.seller_id, i.market, i.commission_treatment, i.commission_vat_bp limit $2`,
}

/** Commission due for a month, in minor units; negative if more was credited than invoiced. */
export interface DueCommission {
  sellerId: number
  market: Market
  currency: Currency
  /** "2026-10" */
  month: string
  /** The VAT as the orders have it; null for those from before it was stored. */
  treatment: ServiceVat['treatment'] | null
  rateBp: number | null
  commission: number
  commissionVat: number
}

/** Commissions of a month that have not been invoiced. */
export function readDueCommissions(db: Db, month: string, limit: number): Promise<DueCommission[]> {
  return db.rows<DueCommission>(due, [month, limit])
}

const corrected = {
  name: 'invoices.corrected-commission',
  text: `select i.number, i.document ->> 'issuedOn' as "issuedOn" from invoices.invoice i
    where i.seller_id = $1::integer and i.market = $2::text and i.kind = 'commission'
      and i.source like 'commission:%:' || $2::text || ':' || $1::integer || coalesce(':' || $3::text || ':' || $4::integer, '')
    order by i.issued_at desc, i.id desc limit 1`,
}

/** The invoice that a credit note corrects: the latest to the seller with the same VAT, in which the credited sales, or the last of them, were. */
export function readCorrectedCommission(
  db: Db,
  { sellerId, market, treatment, rateBp }: DueCommission,
): Promise<InvoiceDocument['credits'] | undefined> {
  return db.row<NonNullable<InvoiceDocument['credits']>>(corrected, [sellerId, market, treatment, rateBp])
}
