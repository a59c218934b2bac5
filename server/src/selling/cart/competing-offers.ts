import { maxQuantity, quantityRefusal, type OfferToPrice } from '#catalogue'
import { askedPrice, isSecondHand, priceDisplay, rankForSale } from '#pricing'
import type { Option } from './cheapest-sellers.ts'
import { sharingTariffs } from './delivery.ts'
import { priceLine, type LineFacts, type PricedLine } from './price-lines.ts'
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

/** An offer of which something is agreed with the company, and the rows that it can take by itself. */
interface Agreement {
  offer: OfferToPrice
  rows: readonly number[]
}

/**
 * The offers among which the shop chooses for the viewer, by product: the public winner, or the first in the public order that can take
 * what is wanted, and those with an agreement of the company that counts.
 * @param held the lines of the viewer's cart, by offer
 */
export function competingOffers(
  basket: LineFacts<OfferToPrice>,
  offers: readonly OfferToPrice[],
  wanted: Wanted,
  held: ReadonlyMap<string, PricedLine<OfferToPrice>>,
): Competition[] {
  const { agreed, viewer, sellers } = basket
  const display = priceDisplay(viewer)
  const holds = (offerId: string) => held.get(offerId)?.quantity ?? 0
  const rowsOf = (offer: OfferToPrice) => takersOf([offer], wanted, holds).rows
  const quantityOf = (offer: OfferToPrice, rows: readonly number[]) => holds(offer.id) + sumOfRows(wanted(offer), rows)
  const linesOf = (offer: OfferToPrice, rows: readonly number[]): PricedLine<OfferToPrice>[] => {
    const seller = sellers.get(offer.sellerId)
    if (!seller || sumOfRows(wanted(offer), rows) === 0) return []
    return [priceLine(basket, { offerId: offer.id, quantity: quantityOf(offer, rows), seenPrice: 0 }, offer, seller)]
  }
  const products = [...Map.groupBy(offers, ({ productId }) => productId)].flatMap(([productId, all]) => {
    const forSale = rankForSale(viewer, { sellers }, all).flatMap(({ offer: { of } }) => (of.isSample ? [] : of))
    const [winner] = forSale
    if (!winner) return []
    // At no price do second-hand goods replace new ones.
    const ranked = forSale.filter(({ condition }) => isSecondHand(condition) === isSecondHand(winner.condition))
    const agreements = ranked.filter(({ id }) => agreed?.has(id)).map((offer) => ({ offer, rows: rowsOf(offer) }))
    return [{ productId, winner, ranked, agreements }]
  })
  const agreedLines = products.flatMap(({ agreements }) => agreements.flatMap(({ offer, rows }) => linesOf(offer, rows)))
  const quotes = completeQuotes([...agreedLines, ...held.values()])
  const quotesOf = (line: PricedLine<OfferToPrice>) => fittingQuotes(line).flatMap(({ quoteId }) => (quotes.has(quoteId) ? quoteId : []))
  const quoted = new Set(agreedLines.flatMap((line) => (quotesOf(line).length > 0 ? line.offer.id : [])))

  const firstTaking = (rows: readonly number[], ranked: readonly OfferToPrice[]) =>
    ranked.find((offer) => takersOf([offer], (of) => rows.map((at) => wanted(of)[at] ?? 0), holds).rows.length === rows.length)
  /**
   * A price list needs no consent of the company, and must not let its seller overtake others by making nothing cheaper. Nor may it make
   * pieces dearer that the public winner has, or replace a refusal at any price: there the public winner is no option to compare it with.
   */
  const listCounts = ({ offer, rows }: Agreement, winner: OfferToPrice, ranked: readonly OfferToPrice[]): boolean => {
    const own = agreed?.get(offer.id)
    if (!own || (own.price === null && own.percentBp === null)) return false
    const ofWinner = rowsOf(winner)
    if (!new Set(ofWinner).isSubsetOf(new Set(rows))) return false
    if (ofWinner.length === rows.length) {
      const lowers = askedPrice(display, { ...offer, agreed: own }) < askedPrice(display, offer)
      return lowers || offer === winner || (own.price ?? Infinity) < askedPrice(display, winner)
    }
    const others = ranked.filter(({ sellerId }) => sellerId !== offer.sellerId)
    const instead = (ofWinner.length === 0 ? firstTaking(rows, others) : undefined) ?? winner
    const pieces = Math.min(quantityOf(instead, rows), maxQuantity(instead))
    return askedPrice(display, { ...offer, agreed: own }, quantityOf(offer, rows)) <= askedPrice(display, instead, pieces)
  }
  const competitions = products.map(({ productId, winner, ranked, agreements }) => {
    const counting = agreements.filter((one) => quoted.has(one.offer.id) || listCounts(one, winner, ranked))
    const own = counting.map(({ offer }) => offer)
    const { takers, rows } = takersOf(new Set([winner, ...own]), wanted, holds)
    const first = firstTaking(rows, ranked)
    const lines = ranked.flatMap((offer) => (offer === first || takers.has(offer) ? linesOf(offer, rows) : []))
    return { productId, winner, isOwn: own.length > 0, lines }
  })
  const shared = new Map(sharingTariffs(competitions.flatMap(({ lines }) => lines)).map((line) => [line.offer.id, line]))
  const optionOf = (line: PricedLine<OfferToPrice>): LineOption => {
    const { id, sellerId } = line.offer
    return { offerId: id, sellerId, goods: line.total - (held.get(id)?.total ?? 0), quoteIds: quotesOf(line), line }
  }
  return competitions.map(({ lines, ...competition }) => ({
    ...competition,
    options: lines.map((line) => optionOf(shared.get(line.offer.id) ?? line)),
  }))
}

/** Quotes whose goods are all wanted or in the cart, as quoted. */
function completeQuotes(lines: readonly PricedLine<OfferToPrice>[]): ReadonlySet<string> {
  const byQuote = Map.groupBy(lines.flatMap(fittingQuotes), ({ quoteId }) => quoteId)
  return new Set([...byQuote].flatMap(([quoteId, fitting]) => (fitting.length === fitting[0]?.lines ? quoteId : [])))
}

/**
 * The offers that can take the wanted quantities next to what the cart holds of them, as the cart adds them up, and the rows of these
 * quantities. A quantity that none of them can take will be refused, and does not count.
 */
function takersOf(offers: Iterable<OfferToPrice>, wanted: Wanted, holds: (offerId: string) => number) {
  const quantities = new Map([...offers].map((offer) => [offer, wanted(offer)]))
  const times = Math.max(0, ...[...quantities.values()].map(({ length }) => length))
  const rows: number[] = []
  let takers: ReadonlyMap<OfferToPrice, number> = new Map()
  for (let at = 0; at < times; at++) {
    const before = takers.size > 0 ? takers : new Map([...quantities.keys()].map((offer) => [offer, 0]))
    const grown = [...before].map(([offer, sum]) => [offer, sum + (quantities.get(offer)?.[at] ?? 0)] as const)
    const able = grown.filter(([offer, sum]) => sum > 0 && quantityRefusal(offer, holds(offer.id) + sum) === null)
    if (able.length === 0) continue
    takers = new Map(able)
    rows.push(at)
  }
  return { takers, rows }
}

function sumOfRows(quantities: readonly number[], rows: readonly number[]): number {
  return rows.reduce((sum, at) => sum + (quantities[at] ?? 0), 0)
}
