import type { PricedSeller } from '#cart'
import type { CustomerOrder } from '#orders'
import { splitGross } from '#pricing'
import { isInUnion } from '#tax'

/** What one seller sends to one buyer, as far as it decides on who accounts for the VAT. */
export interface Consignment {
  sellerCountry: string
  destination: string
  /** Goods after discount, without VAT and delivery: their intrinsic value. Minor units of the destination's currency. */
  value: number
  buyer: 'consumer' | 'business'
}

/** Highest value of an import for which the marketplace accounts: €150 in the Union, £135 in the United Kingdom. */
const highestValue = { union: 15_000, unitedKingdom: 13_500 }

/**
 * Whether the law treats the marketplace as the supplier: a consumer's import of low value from another customs territory.
 * Dearer consignments and those of businesses are imported by their seller, who accounts for the VAT. Source: 2006/112/EC
 * art. 14a(1), VATA 1994 s. 5A (UK), decision 041.
 */
export function isDeemedSupply({ sellerCountry, destination, value, buyer }: Consignment): boolean {
  if (buyer === 'business' || sellerCountry === destination) return false
  if (destination === 'GB') return value <= highestValue.unitedKingdom
  return !isInUnion(sellerCountry) && isInUnion(destination) && value <= highestValue.union
}

/**
 * The VAT of a seller's part that the marketplace owes as its supplier and keeps from what it pays the seller; null where the
 * seller accounts for it. The order alone decides, so that booking, refunds and invoice never differ.
 */
export function withheldVatOf(
  { seller, lines, deliveryByRate }: Pick<PricedSeller, 'seller' | 'lines' | 'deliveryByRate'>,
  { address, companyId }: Pick<CustomerOrder, 'address' | 'companyId'>,
): number | null {
  const value = lines.reduce((all, { net }) => all + net, 0)
  const buyer = companyId === null ? 'consumer' : 'business'
  if (!isDeemedSupply({ sellerCountry: seller.country, destination: address.country, value, buyer })) return null
  const ofDelivery = deliveryByRate.reduce((all, [rateBp, gross]) => all + splitGross(gross, rateBp).vat, 0)
  return lines.reduce((all, { vatAmount }) => all + vatAmount, ofDelivery)
}
