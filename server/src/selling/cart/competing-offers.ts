import { quantityRefusal, type OfferToPrice } from '#catalogue'
import { isSecondHand, rankForSale } from '#pricing'
import type { Option } from './cheapest-sellers.ts'
import { sharingTariffs } from './delivery.ts'
import { deliveryTerms, priceLine, priceSellerLines, type LineFacts, type PricedLine } from './price-lines.ts'
import { fittingQuotes } from './quoted-lines.ts'

/**
 * The quantities of a product that would be put into the cart from an offer, one after the other: lists and orders that are bought
 * again round up to its packs.
 */
export type Wanted = (offer: Pick<OfferToPrice, 'productId' | 'bulk'>) => readonly number[]

/** An offer with its line as the cart would hold it. */
export interface LineOption extends Option {
  line: PricedLine<OfferToPrice>
}

interface Competition {
  productId: string
  /** Of the public buy box. */
  winner: OfferToPrice
  /** Whether anything agreed with the viewer's company competes. */
  isOwn: boolean
  /** In the public order; empty if no offer can take what is wanted. */
  options: LineOption[]
}

/**
 * The offers among which the shop chooses for the viewer, by product. The public winner competes with those for which the company has a
 * lower price, or a quote that saves something; what has been agreed to no effect changes nothing, nor do third offers.
 * @param held the lines of the viewer's cart, by offer
 */
export function competingOffers(
  basket: LineFacts<OfferToPrice>,
  offers: readonly OfferToPrice[],
  wanted: Wanted,
  held: ReadonlyMap<string, PricedLine<OfferToPrice>>,
): Competition[] {
  const { agreed, viewer, sellers } = basket
  const products = [...Map.groupBy(offers, ({ productId }) => productId)].flatMap(([productId, all]) => {
    const forSale = rankForSale(viewer, { sellers }, all).flatMap(({ offer: { of } }) => (of.isSample ? [] : of))
    const [winner] = forSale
    return winner ? [{ productId, winner, named: forSale.filter((offer) => offer === winner || agreed?.has(offer.id)) }] : []
  })
  const holds = (offerId: string) => held.get(offerId)?.quantity ?? 0
  const priced = products.flatMap(({ named }) =>
    named.flatMap((offer) => {
      const seller = sellers.get(offer.sellerId)
      const pieces = takersOf([offer], wanted, holds).get(offer)
      if (!seller || pieces === undefined) return []
      return [priceLine(basket, { offerId: offer.id, quantity: holds(offer.id) + pieces, seenPrice: 0 }, offer, seller)]
    }),
  )
  const lines = new Map(sharingTariffs(priced).map((line) => [line.offer.id, line]))
  const quotes = savingQuotes(basket, [...lines.values(), ...held.values()])
  const optionOf = (offer: OfferToPrice): LineOption | undefined => {
    const line = lines.get(offer.id)
    if (!line) return undefined
    const quoteIds = fittingQuotes(line).flatMap(({ quoteId }) => (quotes.has(quoteId) ? quoteId : []))
    const goods = line.total - (held.get(offer.id)?.total ?? 0)
    return { offerId: offer.id, sellerId: offer.sellerId, goods, quoteIds, line }
  }
  return products.map(({ productId, winner, named }) => {
    const options = new Map(named.map((offer) => [offer, optionOf(offer)]))
    const own = named.filter((offer) => isOwn(options.get(offer)))
    const takers = [...takersOf(new Set([winner, ...own]), wanted, holds).keys()]
    // New before second-hand, whatever it costs.
    const hasNew = takers.some(({ condition }) => !isSecondHand(condition))
    const competing = new Set(takers.filter(({ condition }) => !hasNew || !isSecondHand(condition)))
    return {
      productId,
      winner,
      isOwn: own.length > 0,
      options: named.flatMap((offer) => (competing.has(offer) ? (options.get(offer) ?? []) : [])),
    }
  })
}

const isOwn = (option: LineOption | undefined) => option !== undefined && (option.line.isYourPrice || option.quoteIds.length > 0)

/** Quotes whose goods are all wanted or in the cart, as quoted, and cost less with them, or have cheaper delivery. */
function savingQuotes(basket: LineFacts<OfferToPrice>, lines: readonly PricedLine<OfferToPrice>[]): ReadonlySet<string> {
  const fitting = lines.flatMap((line) => fittingQuotes(line).map((quote) => ({ line, quote })))
  const saving = [...Map.groupBy(fitting, ({ quote }) => quote.quoteId)].filter(([, own]) => {
    const [first] = own
    if (!first || own.length !== first.quote.lines) return false
    if (own.some(({ line, quote }) => quote.price < line.unitPrice)) return true
    const unquoted = own.map(({ line }) => ({ ...line, quotes: [] }))
    const { option } = priceSellerLines(unquoted, deliveryTerms(basket, first.line.offer.sellerId))
    return first.quote.delivery < (option?.fee ?? 0)
  })
  return new Set(saving.map(([quoteId]) => quoteId))
}

/**
 * The offers that can take the wanted quantities next to what the cart holds of them, with their sums, as the cart adds them up. A
 * quantity that none of them can take will be refused, and does not count.
 */
function takersOf(offers: Iterable<OfferToPrice>, wanted: Wanted, holds: (offerId: string) => number): ReadonlyMap<OfferToPrice, number> {
  const quantities = new Map([...offers].map((offer) => [offer, wanted(offer)]))
  const times = Math.max(0, ...[...quantities.values()].map(({ length }) => length))
  let takers: ReadonlyMap<OfferToPrice, number> = new Map()
  for (let at = 0; at < times; at++) {
    const before = takers.size > 0 ? takers : new Map([...quantities.keys()].map((offer) => [offer, 0]))
    const grown = [...before].map(([offer, sum]) => [offer, sum + (quantities.get(offer)?.[at] ?? 0)] as const)
    const able = grown.filter(([offer, sum]) => sum > 0 && quantityRefusal(offer, holds(offer.id) + sum) === null)
    if (able.length > 0) takers = new Map(able)
  }
  return takers
}
