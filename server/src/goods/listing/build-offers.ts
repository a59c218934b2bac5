import { modes } from '@purlin/contract/markets.ts'
import type { Offer, Product } from '#catalogue'
import { buildDocument, rankingOf, type DocumentFacts } from './build-documents.ts'
import type { OfferDocument } from './document.ts'

// The facts of each seller are derived once: the products of a model share their prices.
const ownFacts = new WeakMap<DocumentFacts, Map<number, DocumentFacts>>()

/** The facts as if the seller were the only one. */
function factsOf(sellerId: number, facts: DocumentFacts): DocumentFacts {
  let known = ownFacts.get(facts)
  if (!known) ownFacts.set(facts, (known = new Map()))
  let own = known.get(sellerId)
  if (!own) {
    const ofSeller = (offers: readonly Offer[]) => offers.filter((offer) => offer.sellerId === sellerId)
    own = { ...facts, offers: new Map([...facts.offers].map(([productId, offers]) => [productId, ofSeller(offers)])) }
    known.set(sellerId, own)
  }
  return own
}

/** The documents of a product's offers, samples excepted; offers that cannot be bought in the market have none. */
export function buildOffers(product: Product, facts: DocumentFacts): OfferDocument[] {
  const offers = facts.offers.get(product.id) ?? []
  return [...Map.groupBy(offers, ({ sellerId }) => sellerId)].flatMap(([sellerId, own]) => {
    const goods = own.filter(({ isSample }) => !isSample)
    const shared = factsOf(sellerId, facts)
    const order = modes.flatMap((mode) => rankingOf(product.id, shared, mode).map(({ offer }) => offer.id))
    return goods.flatMap((offer) => {
      const alone = goods.length === 1 ? shared : only(offer, own, shared)
      const document = buildDocument(product, alone)
      if (!document) return []
      const place = order.indexOf(offer.id)
      return [{ ...document, objectID: offer.id, place, v: `${document.v}.${place}` }]
    })
  })
}

/** The seller's facts without other offers of the product, its samples excepted. */
function only(offer: Offer, own: readonly Offer[], facts: DocumentFacts): DocumentFacts {
  const kept = own.filter((one) => one === offer || one.isSample)
  return { ...facts, offers: new Map([...facts.offers, [offer.productId, kept]]) }
}
