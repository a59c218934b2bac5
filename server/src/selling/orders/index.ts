/** Orders: what was sold, to whom and by which sellers, and their states. */
export { allowByToken, orderToken, tokenHash } from './access-token.ts'
export { adoptDraft, canAdopt } from './adopt-draft.ts'
export { findOrder } from './find-order.ts'
export { ordersFollowSignIn } from './follow-sign-in.ts'
export { moveAppointment } from './appointment-store.ts'
export { maxHeld, mayNotHold, sweepEndedHolds, waitForHeld } from './wanted-holds.ts'
export { originOf } from './origin-of.ts'
export { isOrderId, newOrderId, noOrderId, sellerOfPart, sellerOrderId } from './order.ts'
export type { Address, CustomerOrder, OrderLine, OrderTotals, SellerOrder, SoldBy } from './order.ts'
export { customerOrderStates, customerOrderSteps, isPaid, sellerOrderSteps, statesBefore } from './order-states.ts'
export type { Actor, CustomerOrderState, SellerOrderState } from './order-states.ts'
export {
  applyMoves,
  outcomeOf,
  stateOfPaidOrder,
  stateOfSellerOrder,
  sumQuantities,
  type LineMove,
  type LineQuantities,
  type MoveRefusal,
  type Quantities,
} from './line-moves.ts'
export {
  quantitiesInParcels,
  quantityStates,
  readMoves,
  type MoveCause,
  type PartQuantities,
  type RecordedMove,
  lockPart,
} from './line-move-store.ts'
export { moveAndReadOrder, moveOrder, moveOrderAndTell } from './move-store.ts'
export { moveLines, type Moved, type Moving } from './move-lines.ts'
export { readSellerOrders } from './seller-order-store.ts'
export { stateLabel } from './state-words.ts'
export { isUnderWay } from './list-orders.ts'
export { hasReceived, readReceived, readReceivedBy, type ReceivedOrder } from './received-store.ts'
export { readBaskets, readPurchases, type Purchases } from './purchases-store.ts'
export {
  blankEmail,
  blankOrder,
  claimOrders,
  grantAccess,
  lockOrder,
  lockOverdue,
  orderBeside,
  placedOrderEmail,
  readOpenOrder,
  readOrder,
  readOrderForStaff,
  readOrderOf,
  readOrdersOf,
  readOrdersOfCompanies,
  readOverdue,
  readTokenOrder,
  saveDraft,
  type Draft,
  writePlaced,
  type OrderSeen,
  type Placing,
} from './store.ts'
export { lockGuestOrders, takeInGuestOrders } from './guest-order-store.ts'
export { hasBought, ownsPaidOrder } from './has-bought.ts'
export { hasOrderedSince } from './ordered-since.ts'
export { reopenPlaced } from './reopen-store.ts'
export { readPaidPart, readReplaced } from './paid-part.ts'
export { placeReplacement } from './place-replacement.ts'
