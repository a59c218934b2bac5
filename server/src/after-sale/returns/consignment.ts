import type { PostalAddress } from '#addresses'
import type { Place } from '#fulfilment'

/** A buyer's address as the carrier takes it. */
export function placeOf({ firstName, lastName, company, line1, line2, postcode, city, country }: PostalAddress): Place {
  return { name: `${firstName} ${lastName}`.trim(), company, line1, line2, postcode, city, country }
}
