import { cheapestDelivery, type DeliveryOffer } from '#pricing'

/** One delivery option for a seller's whole parcel. Fee in minor units with VAT. */
export interface SellerDelivery extends DeliveryOffer {
  label: string
  promise: string
}

/**
 * Delivery options for several goods of one seller: the kinds common to all of them, at the highest
 * single fee and with the longest lead time. Without a common kind, each goes by its cheapest: as home delivery, or to the
 * kerb if any of them is freight.
 */
export function deliveryOptions(perLine: readonly (readonly DeliveryOffer[])[]): DeliveryOffer[] {
  const [first, ...rest] = perLine
  if (!first) return []
  const common = first.filter(({ kind }) => rest.every((offers) => offers.some((offer) => offer.kind === kind)))
  if (common.length > 0)
    return common.map(({ kind }) =>
      together(
        kind,
        perLine.flatMap((offers) => offers.filter((offer) => offer.kind === kind)),
      ),
    )
  const cheapest = perLine.flatMap((offers) => cheapestDelivery(offers) ?? [])
  if (cheapest.length < perLine.length) return []
  return [together(cheapest.some(({ kind }) => kind === 'kerbside') ? 'kerbside' : 'standard', cheapest)]
}

function together(kind: DeliveryOffer['kind'], offers: readonly DeliveryOffer[]): DeliveryOffer {
  return {
    kind,
    fee: Math.max(...offers.map(({ fee }) => fee)),
    daysMin: Math.max(...offers.map(({ daysMin }) => daysMin)),
    daysMax: Math.max(...offers.map(({ daysMax }) => daysMax)),
  }
}

/**
 * Lines whose offers have the same delivery share one array of it, so that what a seller's goods cost together can be computed by tariff
 * and not by line.
 */
export function sharingTariffs<Line extends { offer: { delivery: readonly DeliveryOffer[] } }>(lines: readonly Line[]): Line[] {
  const tariffs = new Map<string, Line['offer']['delivery']>()
  return lines.map((line) => {
    const key = JSON.stringify(line.offer.delivery)
    const delivery = tariffs.get(key) ?? line.offer.delivery
    tariffs.set(key, delivery)
    return { ...line, offer: { ...line.offer, delivery } }
  })
}
