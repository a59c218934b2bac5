/** Payment by invoice for companies: eligibility, the limit, the claims of shipped parcels with their reminders; requests for financing. */
export { holdCredit } from './offer-invoice.ts'
export { showInvoiceOffer } from './show-credit.ts'
export { readFinancingOf, removeFinancingOf } from './store.ts'
