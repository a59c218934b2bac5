import { allocate } from '#cart'
import type { OrderLine, SellerOrder } from '#orders'
import { splitGross } from '#pricing'
import type { Charge, InvoiceLine } from './invoice.ts'
import { categoryOf, type TaxTreatment } from './tax-treatment.ts'

/** Pieces of each offer. */
export type Pieces = ReadonlyMap<string, number>

/**
 * The amounts of some pieces of a seller's part, from what was sold, never from today's prices. Whatever the order in which
 * pieces are invoiced, all of them together have the amounts of the order to the cent: a share is the difference of two
 * cumulative shares. Delivery
 * belongs to the first, without what was refunded of it before (`deliveryBack`).
 */
export function shareOf(
  part: SellerOrder,
  { before, now, deliveryBack = 0 }: { before: Pieces; now: Pieces; deliveryBack?: number },
  treatment: TaxTreatment,
): { lines: InvoiceLine[]; charges: Charge[] } {
  const lines = part.lines.flatMap((line) => {
    const earlier = before.get(line.offerId) ?? 0
    const pieces = Math.min(now.get(line.offerId) ?? 0, line.quantity - earlier)
    return pieces > 0 ? [lineOf(line, earlier, pieces, treatment)] : []
  })
  const isFirst = lines.length > 0 && [...before.values()].every((pieces) => pieces === 0)
  return { lines, charges: isFirst ? deliveryOf(part, treatment, deliveryBack) : [] }
}

function lineOf(line: OrderLine, earlier: number, pieces: number, treatment: TaxTreatment): InvoiceLine {
  const share = (amount: number): number =>
    Math.floor((amount * (earlier + pieces)) / line.quantity) - Math.floor((amount * earlier) / line.quantity)
  const gross = share(line.total - line.discount)
  const isReversed = treatment === 'reverse-charge'
  // What was paid is the price; the buyer accounts for the VAT on it.
  const vat = isReversed ? 0 : share(line.vat)
  const rateBp = isReversed ? 0 : line.vatRateBp
  const net = gross - vat
  const listNet = line.discount === 0 ? net : Math.max(net, splitGross(share(line.total), rateBp).net)
  return {
    id: line.offerId,
    title: [line.snapshot.title, line.snapshot.conditionLabel && `[${line.snapshot.conditionLabel}]`].filter(Boolean).join(' '),
    quantity: pieces,
    listNet,
    discountNet: listNet - net,
    net,
    vat,
    gross,
    rateBp,
    category: categoryOf(treatment, rateBp),
  }
}

/** Delivery after discount shares the VAT rates of the goods by their value, as in the cart. */
function deliveryOf(part: SellerOrder, treatment: TaxTreatment, deliveryBack: number): Charge[] {
  const discount = part.discount - part.lines.reduce((all, line) => all + line.discount, 0)
  const paid = part.delivery - discount - deliveryBack
  if (paid <= 0) return []
  if (treatment === 'reverse-charge') return [{ net: paid, vat: 0, gross: paid, rateBp: 0, category: 'K' }]
  const rates = [...new Set(part.lines.map(({ vatRateBp }) => vatRateBp))].sort((a, b) => a - b)
  const weights = rates.map((rate) => part.lines.reduce((all, { vatRateBp, total }) => all + (vatRateBp === rate ? total : 0), 0))
  const shares = allocate(paid, weights)
  return rates.flatMap((rateBp, index) => {
    const gross = shares[index] ?? 0
    return gross === 0 ? [] : [{ ...splitGross(gross, rateBp), rateBp, category: categoryOf(treatment, rateBp) }]
  })
}
