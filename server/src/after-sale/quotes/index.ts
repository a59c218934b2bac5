/** Quotes: a company requests prices from a seller, who answers; an accepted quote is ordered at exactly its prices. */
export { answerQuote, forgetQuotesOf, refuseQuote } from './move-quote.ts'
export { exportQuotesOf } from './export-quotes.ts'
export { requestQuote } from './request-quote.ts'
export { maxValidDays, quoteStates, type Quote } from './quote.ts'
export { readQuote, readSellerQuotes } from './store.ts'
