/** Payments: asking for money, being told of it, giving it back. */
export { abandonPayment } from './abandon-payment.ts'
export { failureMessage } from './failure-words.ts'
export { paymentStates, paymentSteps, type Payment, type PaymentState } from './payment.ts'
export type { PaymentProvider, ProviderPayment } from './provider.ts'
export { requestPayment } from './request-payment.ts'
export { paymentProvider, siteHosts, usePaymentProvider } from './settings.ts'
export { lockPaymentOfOrder, readPaymentOfOrder, readStandings, type Standing } from './store.ts'
