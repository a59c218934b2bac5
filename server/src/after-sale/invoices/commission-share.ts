import type { SellerOrder } from '#orders'
import type { Documented } from './store.ts'

/** A seller's part as it was sold, with the commission on all of it. Minor units. */
export type Sold = Pick<SellerOrder, 'total' | 'commission' | 'commissionVat'>

/**
 * The commission on the next invoice or credit note of a seller's part, without VAT, and its VAT: the difference to what the documents before
 * it have. Of what is left of the part, the rest is rounded down, as refunds are (refunds/refund-rule.ts): once every refund is credited,
 * the documents together have what is booked, to the cent, whatever was invoiced, cancelled and credited in which order.
 * @param gross of the document, negative if it credits. Minor units
 */
export function commissionOn(
  { total, commission, commissionVat }: Sold,
  before: Documented,
  gross: number,
): Pick<Documented, 'commission' | 'commissionVat'> {
  const gone = total - before.gross - gross
  const upTo = (amount: number): number => (total === 0 ? 0 : amount - Math.floor((amount * gone) / total))
  return { commission: upTo(commission) - before.commission, commissionVat: upTo(commissionVat) - before.commissionVat }
}
