import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import { invoiceColumns, type Invoice } from './store.ts'

export const invoiceFilters = ['all', 'seller', 'platform', 'credit'] as const
export type InvoiceFilter = (typeof invoiceFilters)[number]

/** Invoices to a buyer: which ones a list, an archive and a table contain. */
export interface WhichInvoices {
  owner: string
  /** Includes all invoices of this company. */
  companyId: string | null
  /** The company the owner acts for: what they once bought for another is not theirs. */
  memberOf: string | null
  market: Market
  filter: InvoiceFilter
  /** Part of a number, an order, a seller or an article; empty for all. */
  search: string
  year: number | null
}

const ofBuyer = `(i.owner = $1 and (i.company_id is null or i.company_id = $4) or i.company_id = $2) and i.market = $3
    and i.kind in ('sale', 'credit-note')`
const theirs = `invoices.invoice i where ${ofBuyer}
    and case $5 when 'seller' then i.kind = 'sale' and i.issuer <> 'platform' when 'platform' then i.kind = 'sale' and i.issuer = 'platform'
      when 'credit' then i.kind = 'credit-note' else true end
    and ($6 = '' or i.search like $6) and ($7::smallint is null or i.year = $7)`
const list = {
  name: 'invoices.list',
  text: `select ${invoiceColumns} from ${theirs} order by i.issued_at desc, i.id desc limit $8 offset $9`,
}
const count = { name: 'invoices.count', text: `select count(*)::int as total from ${theirs}` }
const after = {
  name: 'invoices.list-after',
  text: `select ${invoiceColumns} from ${theirs} and ($8::timestamptz is null or (i.issued_at, i.id) < ($8, $9::uuid))
    order by i.issued_at desc, i.id desc limit 100`,
}
const years = {
  name: 'invoices.years',
  text: `select distinct i.year from invoices.invoice i where ${ofBuyer} order by 1 desc`,
}

function valuesOf({ owner, companyId, memberOf, market, filter, search, year }: WhichInvoices): unknown[] {
  const text = search.trim().toLowerCase()
  return [owner, companyId, market, memberOf, filter, text && `%${text.replace(/[\\%_]/g, '\\$&')}%`, year]
}

/** Newest first. */
export function readInvoicePage(db: Db, which: WhichInvoices, { limit, offset }: { limit: number; offset: number }): Promise<Invoice[]> {
  return db.rows<Invoice>(list, [...valuesOf(which), limit, offset])
}

export async function countInvoices(db: Db, which: WhichInvoices): Promise<number> {
  return (await db.row<{ total: number }>(count, valuesOf(which)))?.total ?? 0
}

/** Years in which there are invoices, latest first. */
export async function readInvoiceYears(db: Db, { owner, companyId, memberOf, market }: WhichInvoices): Promise<number[]> {
  return (await db.rows<{ year: number }>(years, [owner, companyId, market, memberOf])).map(({ year }) => year)
}

/** All of them, newest first, a hundred at a time: however many there are, memory holds a page. */
export async function* eachInvoice(db: Db, which: WhichInvoices): AsyncGenerator<Invoice> {
  let last: Invoice | undefined
  do {
    const page: Invoice[] = await db.rows<Invoice>(after, [...valuesOf(which), last?.issuedAt ?? null, last?.id ?? null])
    yield* page
    last = page.length === 100 ? page.at(-1) : undefined
  } while (last)
}
