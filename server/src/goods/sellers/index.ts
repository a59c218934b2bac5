/** Sellers: identity, country and terms. */
export { addressLine, countryName, departedSeller, isTrading, sellerUrl, sellsTo, type Seller, type SellerStatus } from './seller.ts'
export { readSellerState } from './change-seller-state.ts'
export { findSeller } from './find-seller.ts'
export { forgetSellers, knownSellers, sellersTag } from './known-sellers.ts'
export { writeSellerRating } from './write-rating.ts'
