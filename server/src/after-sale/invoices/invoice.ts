import type { Currency, Market } from '@purlin/contract/markets.ts'
import type { TaxTreatment, VatCategory } from './tax-treatment.ts'

export type InvoiceKind = 'sale' | 'credit-note' | 'commission' | 'commission-credit'
/** Credit notes have a series of their own, as Spanish law requires of rectifying invoices. */
export type Series = 'F' | 'R'

export function seriesOf(kind: InvoiceKind): Series {
  return kind === 'sale' || kind === 'commission' ? 'F' : 'R'
}

export interface Party {
  /** The name people know; the same as `legalName` for buyers. */
  name: string
  legalName: string
  line1: string
  line2: string | null
  postcode: string
  city: string
  /** ISO 3166-1 alpha-2. */
  country: string
  vatNumber: string | null
  registration: string | null
  email: string | null
  /** Spain's NIF, Italy's codice fiscale. */
  fiscalNumber: string | null
  /** Italy: where electronic invoices are delivered. */
  sdiCode: string | null
  pec: string | null
}

/** VAT rate in basis points, and the reason for it. */
export interface Rate {
  rateBp: number
  category: VatCategory
}

export function isSameRate(a: Rate, b: Rate): boolean {
  return a.rateBp === b.rateBp && a.category === b.category
}

/** Amounts in minor units, all without VAT except `vat` and `gross`. */
export interface InvoiceLine {
  id: string
  title: string
  quantity: number
  /** Before discount. */
  listNet: number
  discountNet: number
  net: number
  vat: number
  gross: number
  rateBp: number
  category: VatCategory
}

/** Delivery, by VAT rate. */
export interface Charge {
  net: number
  vat: number
  gross: number
  rateBp: number
  category: VatCategory
}

export interface VatRow {
  rateBp: number
  category: VatCategory
  net: number
  vat: number
}

export interface Totals {
  lines: number
  charges: number
  net: number
  vat: number
  gross: number
  paid: number
  due: number
}

/** Everything an invoice states; PDF and XML are made from it alone. Amounts of a credit note are positive, too. */
export interface InvoiceDocument {
  kind: InvoiceKind
  number: string
  /** Days in the market's calendar: "2026-11-22". */
  issuedOn: string
  suppliedOn: string
  market: Market
  currency: Currency
  treatment: TaxTreatment
  /** Issued by the marketplace in the seller's name. */
  byMandate: boolean
  seller: Party
  buyer: Party
  deliverTo: Party | null
  orderId: string | null
  sellerOrderId: string | null
  /** A company's own names for the order; absent where it gave none. */
  reference?: { purchaseOrder: string | null; costCentre: string | null }
  lines: InvoiceLine[]
  charges: Charge[]
  vatRows: VatRow[]
  totals: Totals
  /** The invoice that a credit note corrects, or the credit note that an invoice takes back. */
  credits: { number: string; issuedOn: string } | null
}

/** The text in which lists of invoices search. */
export function searchText({ number, orderId, seller, buyer, lines }: InvoiceDocument): string {
  const words = [number, orderId, seller.name, seller.legalName, buyer.legalName, ...lines.map(({ title }) => title)]
  return words.filter(Boolean).join('\n')
}

export function issuerOf(sellerId: number | null): string {
  return sellerId === null ? 'platform' : `seller:${sellerId}`
}

/** "S12-2026-000042"; credit notes "S12-R-2026-000003", invoices of the marketplace "P-2026-000007". */
export function numberOf(issuer: string, series: Series, year: number, serial: number): string {
  const prefix = issuer === 'platform' ? 'P' : `S${issuer.slice('seller:'.length)}`
  return [prefix, ...(series === 'R' ? ['R'] : []), year, String(serial).padStart(6, '0')].join('-')
}

/** VAT by category and rate, highest rate first, and the totals. */
export function sumUp(lines: readonly InvoiceLine[], charges: readonly Charge[], isPaid: boolean): { vatRows: VatRow[]; totals: Totals } {
  const rows = new Map<string, VatRow>()
  for (const { category, rateBp, net, vat } of [...lines, ...charges]) {
    const row = rows.get(`${category}${rateBp}`) ?? { category, rateBp, net: 0, vat: 0 }
    rows.set(`${category}${rateBp}`, { ...row, net: row.net + net, vat: row.vat + vat })
  }
  const sum = (all: readonly { net: number }[]) => all.reduce((total, { net }) => total + net, 0)
  const vatRows = [...rows.values()].sort((a, b) => b.rateBp - a.rateBp)
  const vat = vatRows.reduce((total, row) => total + row.vat, 0)
  const totals = { lines: sum(lines), charges: sum(charges), net: sum(vatRows), vat, gross: sum(vatRows) + vat }
  return { vatRows, totals: { ...totals, paid: isPaid ? totals.gross : 0, due: isPaid ? 0 : totals.gross } }
}
