import { isSameRate, type Charge, type InvoiceDocument, type InvoiceLine, type Rate } from './invoice.ts'

type Document = Pick<InvoiceDocument, 'lines' | 'charges'>

/** The documents of a seller's part before a credit note, or before an invoice that takes one back. */
export interface Before {
  invoices: readonly Document[]
  /** Credit notes in force, without one that is being taken back. */
  credits: readonly Document[]
  /** Every earlier credit note, and the invoices that have taken some of them back. */
  issued: readonly (Document & Pick<InvoiceDocument, 'kind'>)[]
}

/** An amount with VAT at a rate, in minor units; `id` is the line to which it belongs, absent for delivery. */
export interface Share extends Rate {
  id?: string
  gross: number
}

/** The line of a reduction that belongs to no line that was sold. */
export const reductionId = 'reduction'

type RowsOf = (document: Document) => readonly (Pick<Charge, 'vat' | 'gross'> & Rate)[]

export const linesOf =
  (id: string) =>
  ({ lines }: Pick<Document, 'lines'>): InvoiceLine[] =>
    lines.filter((line) => line.id === id)
export const chargesAt =
  (rate: Rate) =>
  ({ charges }: Pick<Document, 'charges'>): Charge[] =>
    charges.filter((charge) => isSameRate(charge, rate))
const rowsAt =
  (rate: Rate): RowsOf =>
  ({ lines, charges }) =>
    [...lines, ...charges].filter((row) => isSameRate(row, rate))

export const grossOf = (rows: readonly { gross: number }[]): number => rows.reduce((all, { gross }) => all + gross, 0)
const vatIn = (rows: readonly { vat: number }[]): number => rows.reduce((all, { vat }) => all + vat, 0)

/** Each rate of some rows once. */
export function ratesOf(rows: readonly Rate[]): Rate[] {
  const rates: Rate[] = []
  for (const { rateBp, category } of rows)
    if (!rates.some((rate) => isSameRate(rate, { rateBp, category }))) rates.push({ rateBp, category })
  return rates
}

/** The amounts invoiced and not credited yet, by rate, in minor units with VAT. */
export function openByRate({ invoices, credits }: Pick<Before, 'invoices' | 'credits'>): (Rate & { open: number })[] {
  return ratesOf(invoices.flatMap(({ lines, charges }) => [...lines, ...charges])).map((rate) => ({
    ...rate,
    open: Math.max(0, grossOf(invoices.flatMap(rowsAt(rate))) - grossOf(credits.flatMap(rowsAt(rate)))),
  }))
}

/**
 * The VAT of each share of a credit note, or of the invoice that takes one back (`sale`), in minor units. A line has the VAT of
 * its share of what was invoiced of it, and delivery likewise. A reduction that belongs to no line is a share of everything at its
 * rate; once there is one, so are the documents as a whole. They credit all VAT of a rate with all of its gross, and never more VAT
 * than gross. Source: decisions 112 and 115.
 */
export function vatOfShares(shares: readonly Share[], before: Before, kind: Kind): number[] {
  const rows = shares.map((share) => ({ ...share, vat: share.id === reductionId ? 0 : ownVat(share, before, kind) }))
  for (const rate of ratesOf(shares)) {
    const atRate = rows.filter((row) => isSameRate(row, rate))
    let missing = vatAtRate(rate, atRate, before, kind) - vatIn(atRate)
    for (const row of atRate.toSorted((a, b) => Number(b.id === reductionId) - Number(a.id === reductionId))) {
      const vat = within(row.gross, row.vat + missing)
      missing -= vat - row.vat
      row.vat = vat
    }
  }
  return rows.map(({ vat }) => vat)
}

type Kind = 'credit-note' | 'sale'

/** The VAT of a share of a line or of delivery: what is credited after it, as a share of all that was sold so far, less what was before. */
function ownVat(share: Share, before: Before, kind: Kind): number {
  const { due, credited } = creditedOf(share.id === undefined ? chargesAt(share) : linesOf(share.id), share.gross, before, kind)
  return within(share.gross, kind === 'sale' ? credited - due : due - credited)
}

function vatAtRate(rate: Rate, shares: readonly (Share & { vat: number })[], before: Before, kind: Kind): number {
  const gross = grossOf(shares)
  const { due, credited, soldVat, openGross, creditedGross } = creditedOf(rowsAt(rate), gross, before, kind)
  const isReduced = [...shares, ...before.credits.flatMap(linesOf(reductionId))].some(
    (row) => row.id === reductionId && isSameRate(row, rate),
  )
  const wanted = isReduced ? due : credited + (kind === 'sale' ? -1 : 1) * vatIn(shares)
  const after = Math.max(soldVat - openGross, Math.min(wanted, soldVat, creditedGross))
  return within(gross, kind === 'sale' ? credited - after : after - credited)
}

/** The credited gross of some rows after a document about `gross` of them, and the VAT credited before it. */
function creditedOf(rowsOf: RowsOf, gross: number, { invoices, credits, issued }: Before, kind: Kind) {
  const sold = invoices.flatMap(rowsOf)
  const [soldVat, soldGross] = [vatIn(sold), grossOf(sold)]
  const creditedGross = grossOf(credits.flatMap(rowsOf)) + (kind === 'sale' ? 0 : gross)
  // Rounded down, as the ledger does.
  const due = soldGross === 0 ? 0 : Math.floor((soldVat * creditedGross) / soldGross)
  const credited = issued.reduce((all, document) => all + (document.kind === 'sale' ? -1 : 1) * vatIn(rowsOf(document)), 0)
  return { due, credited, soldVat, creditedGross, openGross: Math.max(0, soldGross - creditedGross) }
}

const within = (gross: number, vat: number): number => Math.max(0, Math.min(gross, vat))
