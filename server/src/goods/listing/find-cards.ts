import type { ProductCard } from '@purlin/contract/product-card.ts'
import { offersToPrice, reference } from '#catalogue'
import { companyOnPro, contractPrices } from '#conditions'
import type { Scope } from '#platform'
import { askedPrice, priceDisplay } from '#pricing'
import { makeCard, unpaidBadges, unpaidCardOf, type CardViewer } from './card.ts'
import { productsIndex, type ProductDocument } from './document.ts'
import { providerOf, type ListingScope } from './list-products.ts'
import { documentsWith } from './load-documents.ts'
import { searchEngine } from './ports.ts'
import { searchClient } from './search-client.ts'

/**
 * Cards of these products, in order; products not sold on this storefront are missing. Empty when the engine is
 * unavailable.
 */
export async function cardsOf(scope: ListingScope, productIds: readonly string[]): Promise<ProductCard[]> {
  if (productIds.length === 0) return []
  const index = productsIndex(scope.market)
  const found = await searchClient(providerOf(searchEngine())).productHistory(index, productIds)
  if (found.status === 0) return []
  const viewer = await viewerOf(scope)
  const documents = (found.value as unknown as ProductDocument[]).filter(({ storefronts }) => storefronts.includes(scope.mode))
  const cards = new Map(documents.map((document) => [document.objectID, unpaidCardOf(document, viewer)]))
  return productIds.flatMap((id) => cards.get(id) ?? [])
}

/** The cards with other offers of some products, by product, in place of the public winners. Prices on them are public ones, as everywhere. */
export async function withOffers(
  scope: Scope,
  cards: readonly ProductCard[],
  offers: ReadonlyMap<string, string>,
): Promise<readonly ProductCard[]> {
  const others = cards.flatMap(({ productId, offerId }): [string, string][] => {
    const other = offers.get(productId) ?? offerId
    return other === offerId ? [] : [[productId, other]]
  })
  if (others.length === 0) return cards
  const documents = await documentsWith(scope.db.reads, scope.market, new Map(others), scope.now)
  const viewer = await viewerOf(scope)
  const swapped = new Map(documents.map((document) => [document.objectID, unpaidCardOf(document, viewer)]))
  return cards.map((card) => swapped.get(card.productId) ?? card)
}

/**
 * The cards for a page of the viewer alone: with the offers chosen for their company, by product, which the page's buttons put into the
 * cart, and with the prices that were agreed for one piece. The cards of everybody else stay as they are.
 */
export async function withOwnPrices(
  scope: Scope,
  cards: readonly ProductCard[],
  chosen: ReadonlyMap<string, string>,
): Promise<readonly ProductCard[]> {
  if (companyOnPro(scope) === null || cards.length === 0) return cards
  const shownOf = ({ productId, offerId }: ProductCard): string => chosen.get(productId) ?? offerId
  const [viewer, offers] = await Promise.all([viewerOf(scope), offersToPrice(scope.db.reads, cards.map(shownOf))])
  const agreed = await contractPrices(scope, [...offers.values()])
  const priceOf = new Map(
    [...offers.values()].flatMap((offer): [string, number][] => {
      const own = askedPrice(viewer.display, { ...offer, agreed: agreed.get(offer.id) })
      return own < askedPrice(viewer.display, offer) ? [[offer.id, own]] : []
    }),
  )
  const changed = cards.flatMap((card): [string, string][] => {
    const shown = shownOf(card)
    return shown !== card.offerId || priceOf.has(shown) ? [[card.productId, shown]] : []
  })
  if (changed.length === 0) return cards
  const documents = await documentsWith(scope.db.reads, scope.market, new Map(changed), scope.now)
  const own = new Map(documents.map((document) => [document.objectID, cardAt(document, priceOf, viewer)]))
  return cards.map((card) => own.get(card.productId) ?? card)
}

/** A company's price is compared with no retail price, and is none of the model's other products. Such a card is cached nowhere. */
function cardAt(document: ProductDocument, priceOf: ReadonlyMap<string, number>, viewer: CardViewer): ProductCard {
  const of = document.pro ?? document
  const price = priceOf.get(of.offerId)
  if (price === undefined) return unpaidCardOf(document, viewer)
  return unpaidBadges(makeCard({ ...document, pro: { ...of, proPrice: price, retailPrice: null, range: null } }, viewer))
}

async function viewerOf(scope: ListingScope): Promise<CardViewer> {
  return { display: priceDisplay(scope), mode: scope.mode, now: scope.now, catalogue: await reference(scope) }
}
