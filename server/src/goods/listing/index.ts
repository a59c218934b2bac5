import { forgetProducts, forgetReference, referenceTag } from '#catalogue'
import { forgetSellers, sellersTag } from '#sellers'

/** Listings: the product index and everything that reads it. */
export { connectRecommendations, connectSearch, searchEngine, watchSearches, type AnsweredSearch, type Recommendations } from './ports.ts'
export { historyFrom, recommendForHistory } from './recommend.ts'
export { countByBrand, countProducts } from './count-products.ts'
export { impressionOf, readImpression, type ShownList } from './impression.ts'
export { listProducts, type Listing, type ListingScope } from './list-products.ts'
export { pageSizeMax, pageSizes, type ListingInput, type ListingKind } from './listing-input.ts'
export { suggest, type Suggestions } from './suggest.ts'
export { popularQueries, queryOfSlug, type PopularQuery } from './popular-queries.ts'
export { findGoods, showCarousels, type Carousel, type Goods } from './show-carousels.ts'
export { cardsOf, withOffers, withOwnPrices } from './find-cards.ts'
export { alternativesOf } from './find-alternatives.ts'
export { productAlternates } from './product-alternates.ts'
export { documentsVersion, rebuildIndex, type RebuildOptions } from './rebuild-index.ts'
export { checkDrift, type Drift } from './check-drift.ts'
export { postponeDriftCheck, rebuildDamaged, startDriftCheck } from './jobs.ts'
export { offerSettings, productSettings } from './index-settings.ts'
export { offersIndex, productsIndex, queriesIndex, type ProductDocument } from './document.ts'
export { ownOrder, placesBy, rankingData, rankingSignals, signalsOf, type RankingWeights } from './learned-order.ts'
export { makeCard } from './card.ts'
export { buildDocument, type DocumentFacts } from './build-documents.ts'
export { valueFilter } from './listing-queries.ts'

/** For `watchPurges`: evicts this process's catalogue caches by tag; null evicts everything. */
export function forgetTagged(tags: readonly string[] | null): void {
  if (!tags || tags.includes(referenceTag)) forgetReference()
  if (!tags || tags.includes(sellersTag)) forgetSellers()
  // The right to sell affects every product's offers.
  forgetProducts(tags?.includes(sellersTag) ? null : tags)
}
