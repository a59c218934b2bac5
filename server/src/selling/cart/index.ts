/** The cart: lines grouped by seller, coupon, delivery and totals. */
export { addAllToCart, listLimit, type AddedAll } from './add-all-to-cart.ts'
export { addLines, putLines } from './add-lines.ts'
export { loadLines } from './load-lines.ts'
export { toAddedItems } from './cart-answer.ts'
export { addToCart } from './add-to-cart.ts'
export { allocate } from './allocate.ts'
export type { Cart } from './cart.ts'
export { cartOwnerIn } from './cart-owner.ts'
export { chooseCartDelivery, reasonAgainstChoices, withChoices, type DeliveryChoice } from './choose-cart-delivery.ts'
export { agreeToPrices, confirmCartChanges, hasChanges } from './confirm-cart-changes.ts'
export { customerKey } from './coupon.ts'
export { grantCoupons, type GrantedCoupon } from './coupon-store.ts'
export { loadCouponWorth } from './load-coupon-worth.ts'
export type { SellerDelivery } from './delivery.ts'
export { cartBeside } from './store.ts'
export { readCartsOf } from './read-carts-of.ts'
export { loadCart, loadPricedCart, priceStoredCart } from './load-cart.ts'
export { cartFollowsSignIn, mergeCarts } from './merge-carts.ts'
export { gramsOf, sumOf, quotedOf, type CartTotals, type PricedCart, type PricedLine, type PricedSeller } from './price-cart.ts'
export { cartLimits, quantityRefusal } from './quantity.ts'
export {
  countCartItems,
  readCart,
  readCartLocked,
  redeemCoupon,
  releaseCoupon,
  removeCartsOf,
  removeBoughtLines,
  writeChoices,
} from './store.ts'
export { describeRefusal, type RefusalMessage } from './refusal-words.ts'
export { showRate, showTotals } from './show-totals.ts'
export { changeCartOwner } from './line-store.ts'
export { connectWaitlist } from './waitlist.ts'
