/** The funnel: from a cart to an order awaiting payment. */
export { giveBack } from './reopen-order.ts'
export { endHold } from './jobs.ts'
export { choosePaymentMethod } from './choose-payment.ts'
export { placeExpressOrder } from './place-express-order.ts'
export { findToSell, holdSeconds, placeOrder, proposalOwner, sell } from './place-order.ts'
export { followPayment } from './follow-payment.ts'
export { requestApproval } from './request-approval.ts'
export { chooseSite, saveAddress } from './save-address.ts'
