import type { Address, CustomerOrder, SellerOrder } from '#orders'

/** Where a seller's part goes: the pick-up point under its name, or the buyer's address. The recipient is the buyer either way. */
export function destinationOf({ address }: CustomerOrder, { pickUpPoint: point }: SellerOrder): Address {
  if (!point) return address
  const { name, line1, postcode, city, country } = point
  return { ...address, company: name, line1, line2: null, postcode, city, country, instructions: null }
}
