import type { ProductCard } from '@purlin/contract/product-card.ts'
import { marketOffersToPrice, reference } from '#catalogue'
import { contractPrices } from '#conditions'
import type { Scope } from '#platform'
import { askedPrice, priceDisplay, priceWithVat } from '#pricing'
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
  const documents = await otherDocuments(scope, cards, offers)
  if (documents.length === 0) return cards
  const viewer = await viewerOf(scope)
  const swapped = new Map(documents.map((document) => [document.objectID, unpaidCardOf(document, viewer)]))
  return cards.map((card) => swapped.get(card.productId) ?? card)
}

/**
 * The cards for a page of the viewer alone: such an offer is shown with the price agreed for one piece, if that is lower than the public
 * price on the card; otherwise the card stays, since the other offer would look dearer than everybody's.
 */
export async function withOwnPrices(
  scope: Scope,
  cards: readonly ProductCard[],
  chosen: ReadonlyMap<string, string>,
): Promise<readonly ProductCard[]> {
  const documents = await otherDocuments(scope, cards, chosen)
  if (documents.length === 0) return cards
  const productIds = documents.map(({ objectID }) => objectID)
  const [viewer, offers] = await Promise.all([viewerOf(scope), marketOffersToPrice(scope.db.reads, productIds, scope.market)])
  const agreed = await contractPrices(scope, offers)
  const priceOf = new Map(offers.map((offer) => [offer.id, askedPrice(viewer.display, { ...offer, agreed: agreed.get(offer.id) })]))
  const own = new Map(documents.map((document) => [document.objectID, atPrice(document, priceOf, viewer)]))
  return cards.map((card) => {
    const other = own.get(card.productId)
    return other && priceWithVat(other.prices) < priceWithVat(card.prices) ? other : card
  })
}

/** A company's price is compared with no retail price, and is none of the model's other products. Such a card is cached nowhere. */
function atPrice(document: ProductDocument, priceOf: ReadonlyMap<string, number>, viewer: CardViewer): ProductCard {
  const of = document.pro ?? document
  const pro = { ...of, proPrice: priceOf.get(of.offerId) ?? of.proPrice, retailPrice: null, range: null }
  return unpaidBadges(makeCard({ ...document, pro }, viewer))
}

/** Documents of the products with another offer than their card's. */
async function otherDocuments(
  scope: Scope,
  cards: readonly ProductCard[],
  offers: ReadonlyMap<string, string>,
): Promise<ProductDocument[]> {
  const others = new Map(
    cards.flatMap(({ productId, offerId }): [string, string][] => {
      const other = offers.get(productId) ?? offerId
      return other === offerId ? [] : [[productId, other]]
    }),
  )
  return others.size === 0 ? [] : documentsWith(scope.db.reads, scope.market, others, scope.now)
}

async function viewerOf(scope: ListingScope): Promise<CardViewer> {
  return { display: priceDisplay(scope), mode: scope.mode, now: scope.now, catalogue: await reference(scope) }
}
