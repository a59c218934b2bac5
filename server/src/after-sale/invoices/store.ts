import { createHash } from 'node:crypto'
import type { Currency, Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { ServiceVat } from '#pricing'
import type { InvoiceDocument, InvoiceKind, Series } from './invoice.ts'

/** Of invoice `i`. */
export const invoiceColumns = `i.id, i.kind, i.issuer, i.number, i.source, i.seller_id as "sellerId", i.customer_order_id as "customerOrderId",
  i.seller_order_id as "sellerOrderId", i.market, i.currency, i.owner, i.email_hash as "emailHash", i.company_id as "companyId", i.issued_at as "issuedAt",
  i.net, i.vat, i.gross, i.commission, i.commission_vat as "commissionVat", i.commission_treatment as "commissionTreatment",
  i.commission_vat_bp as "commissionVatBp", i.left_out as "leftOut", i.document, i.sealed_at is not null as "isSealed",
  coalesce((select jsonb_object_agg(f.form, f.key) from invoices.file f where f.invoice_id = i.id), '{}') as files`

/** An invoice as stored; `files` are the keys of its archived files by form. */
export interface Invoice {
  id: string
  kind: InvoiceKind
  issuer: string
  number: string
  source: string
  sellerId: number
  customerOrderId: string | null
  sellerOrderId: string | null
  market: Market
  currency: Currency
  owner: string | null
  /** Of the e-mail address of the order, by which the invoice follows a guest into their account. */
  emailHash: Buffer | null
  companyId: string | null
  issuedAt: Date
  net: number
  vat: number
  gross: number
  commission: number
  commissionVat: number
  /** As in the order; null where it has none. */
  commissionTreatment: ServiceVat['treatment'] | null
  commissionVatBp: number | null
  /** Refunds of cancelled pieces whose share of delivery was left out of it: ids. Null for credit notes, and invoices of earlier releases. */
  leftOut: string[] | null
  document: InvoiceDocument
  /** The buyer has been erased; the invoice as it was is retained for the tax authority. */
  isSealed: boolean
  files: Partial<Record<FileForm, string>>
}
export type FileForm = 'pdf' | 'ubl'

export function hashOfEmail(email: string): Buffer {
  return createHash('sha256').update(email.toLowerCase()).digest()
}

const lockCounter = {
  name: 'invoices.lock-series',
  text: `insert into invoices.counter as c (issuer, series, year) values ($1, $2, $3)
    on conflict (issuer, series, year) do update set last = c.last`,
}
const bySource = { name: 'invoices.by-source', text: `select ${invoiceColumns} from invoices.invoice i where i.source = $1` }
const next = {
  name: 'invoices.next-number',
  text: 'update invoices.counter set last = last + 1 where issuer = $1 and series = $2 and year = $3 returning last',
}
const insert = {
  name: 'invoices.insert',
  text: `insert into invoices.invoice (id, kind, issuer, series, year, serial, number, source, seller_id, customer_order_id, seller_order_id,
      market, currency, owner, company_id, issued_at, net, vat, gross, commission, commission_vat, search, document, email_hash,
      commission_treatment, commission_vat_bp, left_out)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, lower($22), $23, $24, $25, $26, $27)`,
}

export interface SeriesKey {
  issuer: string
  series: Series
  year: number
}

/** From here to the end of the transaction nobody else issues in this series. */
export async function lockSeries(db: Db, { issuer, series, year }: SeriesKey): Promise<void> {
  await db.run(lockCounter, [issuer, series, year])
}

/** The invoice for something, if it has been issued. */
export function readInvoiceFor(db: Db, source: string): Promise<Invoice | undefined> {
  return db.row<Invoice>(bySource, [source])
}

/** The next number of a locked series. */
export async function takeNumber(db: Db, { issuer, series, year }: SeriesKey): Promise<number> {
  const row = await db.row<{ last: number }>(next, [issuer, series, year])
  if (!row) throw new Error('The series was not locked')
  return row.last
}

export type NewInvoice = Omit<Invoice, 'files' | 'issuer' | 'isSealed'> & SeriesKey & { serial: number; search: string }

export async function insertInvoice(db: Db, invoice: NewInvoice): Promise<void> {
  const { id, kind, issuer, series, year, serial, number, source, sellerId, customerOrderId, sellerOrderId, market, currency } = invoice
  const { owner, emailHash, companyId, issuedAt, net, vat, gross, commission, commissionVat, search, document } = invoice
  const { commissionTreatment, commissionVatBp, leftOut } = invoice
  const key = [id, kind, issuer, series, year, serial, number, source, sellerId, customerOrderId, sellerOrderId, market, currency]
  const rest = [owner, companyId, issuedAt, net, vat, gross, commission, commissionVat, search, JSON.stringify(document), emailHash]
  await db.run(insert, [...key, ...rest, commissionTreatment, commissionVatBp, leftOut])
}

const invoiced = {
  name: 'invoices.invoiced-pieces',
  text: `select l ->> 'id' as "offerId", sum((l ->> 'quantity')::int)::int as quantity
    from invoices.invoice i, jsonb_array_elements(i.document -> 'lines') l
    where i.customer_order_id = $1 and i.seller_order_id = $2 and i.kind = 'sale'
      and i.source not like 'refund-dropped:%' group by 1`,
}

/** Pieces of a seller's part that have been invoiced, by offer. */
export async function readInvoiced(db: Db, customerOrderId: string, sellerOrderId: string): Promise<Map<string, number>> {
  const rows = await db.rows<{ offerId: string; quantity: number }>(invoiced, [customerOrderId, sellerOrderId])
  return new Map(rows.map(({ offerId, quantity }) => [offerId, quantity]))
}

const commissions = {
  name: 'invoices.documented-commission',
  text: `select coalesce(sum(gross), 0)::int as gross, coalesce(sum(commission), 0)::int as commission,
      coalesce(sum(commission_vat), 0)::int as "commissionVat"
    from invoices.invoice where customer_order_id = $1 and seller_order_id = $2 and kind in ('sale', 'credit-note')`,
}

/** The documents of a seller's part together: what was invoiced less what was credited, with the commission on it. */
export type Documented = Pick<Invoice, 'gross' | 'commission' | 'commissionVat'>

export async function readDocumented(db: Db, customerOrderId: string, sellerOrderId: string): Promise<Documented> {
  const row = await db.row<Documented>(commissions, [customerOrderId, sellerOrderId])
  return row ?? { gross: 0, commission: 0, commissionVat: 0 }
}

const byId = { name: 'invoices.by-id', text: `select ${invoiceColumns} from invoices.invoice i where i.id = $1` }
const byOrder = {
  name: 'invoices.by-order',
  text: `select ${invoiceColumns} from invoices.invoice i where i.customer_order_id = $1 and i.kind in ('sale', 'credit-note') order by i.issued_at, i.id`,
}

/** Any invoice: the caller decides who may see it. */
export function readInvoice(db: Db, id: string): Promise<Invoice | undefined> {
  return db.row<Invoice>(byId, [id])
}

const byIds = { name: 'invoices.by-ids', text: `select ${invoiceColumns} from invoices.invoice i where i.id = any($1::uuid[])` }

/** Any invoices: the caller decides who may see them. */
export function readInvoices(db: Db, ids: readonly string[]): Promise<Invoice[]> {
  return db.rows<Invoice>(byIds, [ids])
}

/** Invoices and credit notes of an order that the caller may see, oldest first. */
export function readInvoicesOfOrder(db: Db, customerOrderId: string): Promise<Invoice[]> {
  return db.rows<Invoice>(byOrder, [customerOrderId])
}

const keep = {
  name: 'invoices.keep-file',
  // Waits for an erasure under way, after which a file drawn from the earlier document must not be stored.
  text: `insert into invoices.file (invoice_id, form, key, sha256, bytes)
    select i.id, $2, $3, $4, $5 from invoices.invoice i where i.id = $1 and i.sealed_at is null for share on conflict do nothing`,
}

/** Records an archived file; false when the invoice has one of this form already, or its buyer has been erased. */
export async function keepFile(
  db: Db,
  file: { invoiceId: string; form: FileForm; key: string; sha256: string; bytes: number },
): Promise<boolean> {
  return (await db.run(keep, [file.invoiceId, file.form, file.key, file.sha256, file.bytes])) === 1
}

const handOver = {
  name: 'invoices.hand-over',
  // Documents of earlier releases contain the address instead.
  text: `update invoices.invoice set owner = $2 where owner = $1
    and (email_hash = $4 or email_hash is null and lower(document #>> '{buyer,email}') = lower($3))`,
}

/** Moves the invoices of orders made with this e-mail address to another owner, as their orders move. */
export async function handOverInvoices(db: Db, from: string, into: string, email: string): Promise<void> {
  await db.run(handOver, [from, into, email, hashOfEmail(email)])
}
