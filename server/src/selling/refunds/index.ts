/** Refunds: money that goes back to buyers, by line, from what was paid; to the card, else to a bank account. */
export type { Refund, RefundCause, RefundState } from './refund.ts'
export { refundOfUnits, type DeliveryShare, type RefundLine, type Units } from './refund-rule.ts'
export { requestRefund } from './request-refund.ts'
export {
  findOpenRefunds,
  moveRefund,
  readRefundedBefore,
  readRefundedOf,
  readRefund,
  readRefundIdsOf,
  readRefundsAbout,
  readRefundsOf,
} from './store.ts'
export { giveRefund } from './give-refund.ts'
export { atProviderKey, splitReported } from './split-reported.ts'
export { sealRefundsAnew } from './seal-account.ts'
