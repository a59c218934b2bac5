/** The catalogue: master products, their categories, brands and attributes, and sellers' offers. */
export { adjustPopularity } from './adjust-popularity.ts'
export { writeProductRating } from './write-rating.ts'
export { brandLogoUrl, brandUrl, categoryPictureUrl, categoryUrl, paintUrl, pictureUrl, productUrl } from './addresses.ts'
export { attributeText, showAttribute, showAttributes, type ShownAttribute } from './attributes.ts'
export { inLanguage, type Category, type CategoryTree } from './category-tree.ts'
export { eansOf, productsByCode } from './find-by-code.ts'
export { findProduct, forgetProducts } from './find-product.ts'
export { modelOptions, type ModelOption } from './model-options.ts'
export {
  pictureVersion,
  stockToSell,
  type AttributeValue,
  type Offer,
  type OfferDelivery,
  type Product,
  type ProductSheet,
  type QuantityBreak,
} from './product.ts'
export { forgetReference, reference, referenceTag, type Reference } from './reference.ts'
export type { Attribute, Brand, CommercialOperation } from './reference-rows.ts'
export {
  readMarketOffers,
  readModelIds,
  readModelMembers,
  readProductIds,
  readProductPage,
  readProducts,
  readProductsWithCode,
  readSellerProductIds,
  readTitleSamples,
  type TitleSample,
} from './store.ts'
export { changeOfferState, readOfferStanding } from './change-offer-state.ts'
export { readQuantityBreaks, setQuantityBreaks } from './set-quantity-breaks.ts'
export { readPriceHistory, type PricePoint } from './price-history.ts'
export {
  categoryPathsOf,
  marketOffersToPrice,
  offersForSale,
  offersFromJson,
  offersJsonOf,
  offersToPrice,
  offersToPriceJsonOf,
  pricedOffersOf,
  type OfferForSale,
  type OfferToPrice,
  type PricedOffer,
} from './offers-for-sale.ts'
export { maxPieces, maxQuantity, quantityRefusal, stepOf } from './quantity.ts'
export { giveBackPieces, passPieces, releaseStock, reserveStock, takePieces, type StockLeft, type StockWish } from './reserve-stock.ts'
export { connectDocuments, connectPictures, type DocumentedProduct, type Documents, type Pictures } from './ports.ts'
export { drawFamily } from './draw-picture.ts'
export type { FinishedFile } from './finished-files.ts'
export { sendPicture } from './send-picture.ts'
export { activeProductIds, brandsWithGoods, everyNthProductId, paintIds, sellersWithGoods } from './sitemap-rows.ts'
