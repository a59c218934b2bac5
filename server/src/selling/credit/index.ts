/** Payment by invoice for companies: eligibility, the limit, the claims of shipped parcels with their reminders; requests for financing. */
export { holdCredit } from './offer-invoice.ts'
export { showInvoiceOffer } from './show-credit.ts'
export { isCollective, readStatement, readStatementLines, readStatements } from './statement-store.ts'
export { claimState, openAmount } from './claim.ts'
export { owedOf } from './remind-statement.ts'
export type { IssuedStatement, Statement } from './statement.ts'
export { readFinancingOf, removeFinancingOf } from './store.ts'
