import { allocate } from '#cart'
import { splitGross } from '#pricing'
import type { Refund } from '#refunds'
import type { Charge, InvoiceDocument, InvoiceLine } from './invoice.ts'

type Issued = readonly Pick<InvoiceDocument, 'kind' | 'lines' | 'charges'>[]

export interface Invoiced {
  invoices: readonly Pick<InvoiceDocument, 'lines' | 'charges' | 'totals'>[]
  /** Earlier credit notes in force. */
  credits: readonly Pick<InvoiceDocument, 'lines' | 'charges' | 'totals'>[]
  /** Every earlier credit note, and the invoices that have taken some of them back. */
  issued: Issued
  /** The title of a reduction that belongs to no line. */
  reduction: string
  /** For a cancellation: what was bought of each line, what was paid for it, and the pieces that were cancelled earlier. */
  bought?: ReadonlyMap<string, { quantity: number; paid: number; cancelled: number }>
}

const grossOf = (rows: readonly { gross: number }[]): number => rows.reduce((all, { gross }) => all + gross, 0)
const vatIn = (rows: readonly { vat: number }[]): number => rows.reduce((all, { vat }) => all + vat, 0)

/**
 * What a refund takes back of what was invoiced: never more than was invoiced and not credited yet, with the VAT of the
 * invoice. Of a cancellation that is the pieces that had been invoiced before they were cancelled, as those that were lost on
 * their way and then accepted again; the others never will be. A share of the delivery may have been invoiced either way.
 */
export function creditedShare(
  { amount, cause, lines: refunded }: Pick<Refund, 'amount' | 'cause' | 'lines'>,
  { invoices, credits, issued, reduction, bought }: Invoiced,
): { lines: InvoiceLine[]; charges: Charge[] } {
  let left = grossOf(invoices.map(({ totals }) => totals)) - grossOf(credits.map(({ totals }) => totals))
  const take = (wanted: number, most: number): number => {
    const taken = Math.max(0, Math.min(wanted, most, left))
    left -= taken
    return taken
  }
  const lines: InvoiceLine[] = []
  for (const { offerId, quantity, goods } of refunded) {
    const sold = invoices.flatMap((invoice) => invoice.lines.filter(({ id }) => id === offerId))
    const back = credits.flatMap((credit) => credit.lines.filter(({ id }) => id === offerId))
    const [first] = sold
    const invoiced = sold.reduce((all, line) => all + line.quantity, 0)
    const wanted = cause === 'cancellation' ? invoicedBefore({ quantity, goods }, invoiced, bought?.get(offerId)) : { quantity, goods }
    const gross = take(wanted.goods, grossOf(sold) - grossOf(back))
    if (!first || gross === 0) continue
    const credited = vatCredited(issued, (document) => document.lines.filter(({ id }) => id === offerId))
    const vat = within(gross, shareAt(vatIn(sold), grossOf(back) + gross, grossOf(sold)) - credited)
    lines.push(lineOf(first, { quantity: Math.max(1, wanted.quantity), gross, vat }))
  }
  const charged = invoices.flatMap(({ charges }) => charges)
  const returned = credits.flatMap(({ charges }) => charges)
  const open = charged.map((charge) => charge.gross - grossOf(returned.filter((each) => isLike(each, charge))))
  const delivery = take(grossOf(refunded.map((line) => ({ gross: line.delivery }))), Math.max(0, grossOf(open.map((gross) => ({ gross })))))
  const charges = (delivery === 0 ? [] : sharesOf(delivery, charged, open)).map((charge) => {
    const sold = charged.filter((each) => isLike(each, charge))
    const back = returned.filter((each) => isLike(each, charge))
    const credited = vatCredited(issued, (document) => document.charges.filter((each) => isLike(each, charge)))
    const vat = within(charge.gross, shareAt(vatIn(sold), grossOf(back) + charge.gross, grossOf(sold)) - credited)
    return { ...charge, net: charge.gross - vat, vat }
  })
  const rest = take(amount - refunded.reduce((all, { goods, delivery: share }) => all + goods + share, 0), left)
  const rows = invoices.flatMap((invoice) => invoice.lines)
  const reductions =
    rest === 0 || rows.length === 0
      ? []
      : sharesOf(
          rest,
          rows,
          rows.map(({ gross }) => gross),
        )
  const priced = reductions.map((share) => lineOf({ ...share, id: reductionId, title: reduction }, { quantity: 1, ...share }))
  return { lines: [...lines, ...priced], charges }
}

/** The part of cancelled pieces that was invoiced: more than can still be sold of the line. */
function invoicedBefore(
  { quantity, goods }: { quantity: number; goods: number },
  invoiced: number,
  line: { quantity: number; paid: number; cancelled: number } | undefined,
): { quantity: number; goods: number } {
  if (!line) return { quantity: 0, goods: 0 }
  const before = line.quantity - line.cancelled
  const pieces = Math.max(0, invoiced - (before - quantity)) - Math.max(0, invoiced - before)
  if (pieces <= 0) return { quantity: 0, goods: 0 }
  const share = (of: number): number => Math.floor((line.paid * of) / line.quantity)
  // Pieces are invoiced from the first and cancelled from the last.
  return { quantity: pieces, goods: Math.max(0, goods - (share(before) - share(Math.min(before, invoiced)))) }
}

/**
 * The share of a credit note that is invoiced again, with the VAT of the last share of all credits, as the ledger books it.
 * `credits` are those in force without it.
 */
export function shareAgain(
  { lines, charges }: Pick<InvoiceDocument, 'lines' | 'charges'>,
  { invoices, credits, issued, noReduction }: Pick<Invoiced, 'invoices' | 'credits' | 'issued'> & { noReduction: string },
): { lines: InvoiceLine[]; charges: Charge[] } {
  const again = <Row extends Amounts>(row: Row, rowsOf: RowsOf): Row => {
    const sold = invoices.flatMap(rowsOf)
    const vat = within(row.gross, vatCredited(issued, rowsOf) - shareAt(vatIn(sold), grossOf(credits.flatMap(rowsOf)), grossOf(sold)))
    return { ...row, net: row.gross - vat, vat }
  }
  return {
    lines: lines.map((line) => {
      // A reduction that belongs to no line is no share of one: its VAT is its own.
      if (line.id === reductionId) return { ...line, title: noReduction }
      return lineOf(
        line,
        again(line, (document) => document.lines.filter(({ id }) => id === line.id)),
      )
    }),
    charges: charges.map((charge) => again(charge, (document) => document.charges.filter((each) => isLike(each, charge)))),
  }
}

const reductionId = 'reduction'

const isLike = (a: Pick<Charge, 'category' | 'rateBp'>, b: Pick<Charge, 'category' | 'rateBp'>): boolean =>
  a.category === b.category && a.rateBp === b.rateBp

type Amounts = Pick<Charge, 'net' | 'vat' | 'gross'>
type RowsOf = (document: Pick<InvoiceDocument, 'lines' | 'charges'>) => readonly Amounts[]

/** The VAT that documents have credited of some rows and not taken back. */
function vatCredited(issued: Issued, rowsOf: RowsOf): number {
  return issued.reduce((all, document) => all + (document.kind === 'sale' ? -1 : 1) * vatIn(rowsOf(document)), 0)
}

/**
 * The share of an amount that falls on the first part of a whole. Documents have the difference to what was credited before, so that they
 * add up exactly, also where the whole has grown by another parcel.
 */
function shareAt(amount: number, at: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((amount * at) / whole)
}

const within = (gross: number, vat: number): number => Math.max(0, Math.min(gross, vat))

/** An amount over rows of different rates, by weight; one share per rate. */
function sharesOf(gross: number, rows: readonly Pick<Charge, 'rateBp' | 'category'>[], weights: readonly number[]): Charge[] {
  const shares = allocate(gross, weights)
  const merged: Charge[] = []
  rows.forEach(({ rateBp, category }, index) => {
    const share = { ...splitGross(shares[index] ?? 0, rateBp), rateBp, category }
    const same = merged.find((each) => isLike(each, share))
    if (!same && share.gross > 0) merged.push(share)
    else if (same) Object.assign(same, splitGross(same.gross + share.gross, rateBp))
  })
  return merged
}

function lineOf(
  { id, title, rateBp, category }: Pick<InvoiceLine, 'id' | 'title' | 'rateBp' | 'category'>,
  { quantity, gross, vat }: { quantity: number; gross: number; vat: number },
): InvoiceLine {
  const net = gross - vat
  return { id, title, quantity, listNet: net, discountNet: 0, net, vat, gross, rateBp, category }
}
