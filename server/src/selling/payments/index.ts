/** Payments: requests, provider messages, refunds. The connected process decides what each step means for the order. */
export { abandonPayment } from './abandon-payment.ts'
export { failureMessage } from './failure-words.ts'
export { isCaptured, paymentStates, paymentSteps, type Payment, type PaymentState } from './payment.ts'
export { connectPaymentProcess, type PaymentProcess } from './ports.ts'
export type { PaymentProvider, ProviderPayment } from './provider.ts'
export { requestPayment } from './request-payment.ts'
export { paymentProvider, usePaymentProvider } from './settings.ts'
export { lockPaymentOfOrder, paymentJsonOf, readPaymentOfOrder, readStandings, type Standing } from './store.ts'
