import type { PostalAddress } from '#addresses'
import type { Place } from '#fulfilment'

/** Our reference of a label: each one after the first is a booking of its own with the carrier. */
export const labelReference = (requestId: string, round: number): string => (round === 0 ? requestId : `${requestId}-${round}`)

/** A buyer's address as the carrier takes it. */
export function placeOf({ firstName, lastName, company, line1, line2, postcode, city, country }: PostalAddress): Place {
  return { name: `${firstName} ${lastName}`.trim(), company, line1, line2, postcode, city, country }
}
