/** Payments: requests, provider messages, refunds. The connected process decides what each step means for the order. */
export { applyProviderState } from './apply-provider-state.ts'
export { abandonPayment } from './abandon-payment.ts'
export { findPayingCard, readSavedCards, removeCardsOf } from './change-cards.ts'
export { failureMessage } from './failure-words.ts'
export { isCaptured, paymentStates, paymentSteps, type Payment, type PaymentState } from './payment.ts'
export { connectPaymentProcess, type PaymentProcess } from './ports.ts'
export { ProviderRefusal, type PaymentProvider, type ProviderPayment, type ProviderPayout } from './provider.ts'
export { paymentRequest } from './request-payment.ts'
export { paymentProvider, usePaymentProvider } from './settings.ts'
export { showCard } from './show-card.ts'
export {
  insertPaymentAs,
  lockPaymentOfOrder,
  lockPaymentsOfOrders,
  paymentJsonOf,
  readPayment,
  readPaymentOfOrder,
  readStandings,
  type Standing,
} from './store.ts'
