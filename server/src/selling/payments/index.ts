/** Payments: requests, provider messages, refunds. The connected process decides what each step means for the order. */
export { applyProviderState } from './apply-provider-state.ts'
export { abandonPayment } from './abandon-payment.ts'
export { findChargedBack, readChargeback, readChargebacks, type Chargeback } from './chargeback-store.ts'
export { findPayingCard, readSavedCards, deleteProviderCustomer, removeCardsOf } from './change-cards.ts'
export { failureMessage } from './failure-words.ts'
export { followRepaid, followReturned } from './follow-repaid.ts'
export { isCaptured, paymentStates, type Payment, type PaymentState } from './payment.ts'
export { connectPaymentProcess, type PaymentProcess } from './ports.ts'
export {
  ForgedMessage,
  ProviderRefusal,
  subscriptionCharge,
  UnreadableMessage,
  type PaymentProvider,
  type ProviderCard,
  type ProviderPayment,
  type ProviderPayout,
  type ProviderSetup,
} from './provider.ts'
export { payLabel } from './pay-label.ts'
export { paymentRequest, byCard, type PayBy } from './request-payment.ts'
export { readDebtor } from './request-intent.ts'
export type { CreditProvider, Payee, ProviderClaim, ProviderDebit } from './credit-provider.ts'
export { returnRefunded } from './return-refunded.ts'
export { receiveEvent } from './receive-webhook.ts'
export {
  creditProvider,
  directDebitCreditor,
  hasCreditProvider,
  paymentProvider,
  useCreditProvider,
  usePaymentProvider,
} from './settings.ts'
export { showCard } from './show-card.ts'
export {
  insertPaymentAs,
  lockPaymentOfOrder,
  lockPaymentsOfOrders,
  paymentJsonOf,
  readPayment,
  readPaymentsAbout,
  readPaymentsByInvoice,
  readOrdersByInvoice,
  readPaymentOfOrder,
  readStandings,
  writeRepaid,
  type MixedPayment,
  type Standing,
} from './store.ts'
