/** Invoices: of sellers to buyers, in the sellers' name, and of the marketplace to sellers. Numbered without gaps, archived, never changed. */
export { invoicesFollowSignIn } from './follow-sign-in.ts'
export { invoiceSubscription } from './invoice-subscription.ts'
export { issueInvoice } from './issue-invoice.ts'
export { itemColumns, sheetPdf, type Sheet } from './draw-sheet.ts'
export { partyLines, showDay } from './invoice-text.ts'
export type { Party } from './invoice.ts'
export { asRegistered, noDetails, sellerParty } from './parties.ts'
export { fontFile, runsOf } from './invoice-font.ts'
