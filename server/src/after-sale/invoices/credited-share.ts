import { allocate } from '#cart'
import type { LineQuantities } from '#orders'
import type { Refund } from '#refunds'
import { chargesAt, grossOf, linesOf, openByRate, ratesOf, reductionId, vatOfShares, type Before, type Share } from './credited-vat.ts'
import { isSameRate, type Charge, type InvoiceDocument, type InvoiceLine, type Rate } from './invoice.ts'

export interface Invoiced extends Before {
  invoices: readonly Pick<InvoiceDocument, 'lines' | 'charges' | 'totals'>[]
  credits: readonly Pick<InvoiceDocument, 'lines' | 'charges' | 'totals'>[]
  /** The title of a reduction that belongs to no line. */
  reduction: string
  /** For a cancellation: what was bought of each line, what was paid for it, and the pieces that were cancelled earlier. */
  bought?: ReadonlyMap<string, { quantity: number; paid: number; cancelled: number }>
}

interface Rows {
  lines: InvoiceLine[]
  charges: Charge[]
}

export interface CreditedShare extends Rows {
  /** The amount of the refund that exceeds what is invoiced and not credited of it, in minor units with VAT. */
  missing: number
}

/**
 * The part of an invoice that a refund credits: at each rate at most the amount invoiced and not credited yet, with the VAT of
 * the invoice. Of a cancellation that is the pieces that had been invoiced before they were cancelled, as those that were lost on
 * their way and then accepted again; the others never will be. A share of the delivery may have been invoiced either way.
 */
export function creditedShare(
  refund: Pick<Refund, 'amount' | 'cause' | 'lines'>,
  { reduction, bought, ...before }: Invoiced,
): CreditedShare {
  const { invoices, credits } = before
  const rates = openByRate(before)
  let left = grossOf(invoices.map(({ totals }) => totals)) - grossOf(credits.map(({ totals }) => totals))
  // Where reductions have used up a rate, what is refunded of it all the same reduces the price of what is left at the others.
  let elsewhere = 0
  let missing = 0
  const take = (wanted: number, at: Rate): number => {
    const most = Math.max(0, Math.min(wanted, left))
    const rate = rates.find((each) => isSameRate(each, at))
    const taken = Math.min(most, rate?.open ?? 0)
    left -= taken
    elsewhere += most - taken
    if (rate) rate.open -= taken
    return taken
  }
  const lines = refund.lines.flatMap(({ offerId, quantity, goods }) => {
    const sold = invoices.flatMap(linesOf(offerId))
    const [first] = sold
    if (!first) {
      if (refund.cause !== 'cancellation') missing += goods
      return []
    }
    const invoiced = sold.reduce((all, line) => all + line.quantity, 0)
    const wanted =
      refund.cause === 'cancellation' ? invoicedBefore({ quantity, goods }, invoiced, bought?.get(offerId)) : { quantity, goods }
    const gone = elsewhere
    const gross = take(Math.min(wanted.goods, grossOf(sold) - grossOf(credits.flatMap(linesOf(offerId)))), first)
    missing += wanted.goods - gross - (elsewhere - gone)
    return gross === 0 ? [] : [{ ...first, quantity: Math.max(1, wanted.quantity), gross }]
  })
  const delivery = deliveryOf(refund, before)
  // The share of cancelled pieces may not have been invoiced.
  if (refund.cause !== 'cancellation') missing += refund.lines.reduce((all, line) => all + line.delivery, 0) - grossOf(delivery)
  const charges = delivery.flatMap((charge) => {
    const gone = elsewhere
    const gross = take(charge.gross, charge)
    missing += charge.gross - gross - (elsewhere - gone)
    return gross === 0 ? [] : [{ ...charge, gross }]
  })
  const ofNoLine = refund.lines.reduce((all, line) => all - line.goods - line.delivery, refund.amount)
  const rest = Math.min(Math.max(0, ofNoLine) + elsewhere, Math.max(0, left))
  missing += Math.max(0, ofNoLine) + elsewhere - rest
  const shares =
    rest === 0
      ? []
      : allocate(
          rest,
          rates.map(({ open }) => open),
        )
  const reductions = rates.flatMap(({ rateBp, category }, index) => {
    const gross = shares[index] ?? 0
    return gross === 0 ? [] : [{ id: reductionId, title: reduction, quantity: 1, rateBp, category, gross }]
  })
  return { ...withVat({ lines: [...lines, ...reductions], charges }, before, 'credit-note'), missing }
}

/**
 * Whether more of a part can be invoiced: pieces that are neither cancelled nor refused have no invoice yet. A refund has one credit
 * note: while this holds, one that would not be credited whole waits.
 */
export function isMoreToInvoice(lines: readonly LineQuantities[], invoiced: ReadonlyMap<string, number>): boolean {
  return lines.some(({ offerId, quantities: { cancelled = 0, refused = 0, ...others } }) => {
    const kept = Object.values(others).reduce((all, pieces) => all + pieces, 0)
    return kept > (invoiced.get(offerId) ?? 0)
  })
}

/** The part of the delivery that goes back, by rate. */
function deliveryOf({ lines }: Pick<Refund, 'lines'>, { invoices, credits }: Before): Share[] {
  const rates = ratesOf(invoices.flatMap(({ charges }) => charges))
  const open = rates.map((rate) => Math.max(0, grossOf(invoices.flatMap(chargesAt(rate))) - grossOf(credits.flatMap(chargesAt(rate)))))
  const wanted = lines.reduce((all, { delivery }) => all + delivery, 0)
  const gross = Math.min(
    wanted,
    open.reduce((all, each) => all + each, 0),
  )
  const shares = gross <= 0 ? [] : allocate(gross, open)
  return rates.map((rate, index) => ({ ...rate, gross: shares[index] ?? 0 }))
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
export function shareAgain({ lines, charges }: Rows, { noReduction, ...before }: Before & { noReduction: string }): Rows {
  const renamed = lines.map((line) => (line.id === reductionId ? { ...line, title: noReduction } : line))
  return withVat({ lines: renamed, charges }, before, 'sale')
}

type DraftLine = Share & Pick<InvoiceLine, 'id' | 'title' | 'quantity'>

function withVat(rows: { lines: readonly DraftLine[]; charges: readonly Share[] }, before: Before, kind: 'credit-note' | 'sale'): Rows {
  const vat = vatOfShares([...rows.lines, ...rows.charges], before, kind)
  const lines = rows.lines.map(({ id, title, quantity, gross, rateBp, category }, index) => {
    const amounts = amountsOf(gross, vat[index])
    return { id, title, quantity, listNet: amounts.net, discountNet: 0, ...amounts, rateBp, category }
  })
  const charges = rows.charges.map(({ gross, rateBp, category }, index) => {
    return { ...amountsOf(gross, vat[lines.length + index]), rateBp, category }
  })
  return { lines, charges }
}

const amountsOf = (gross: number, vat = 0) => ({ net: gross - vat, vat, gross })
