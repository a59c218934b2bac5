/** Conditions: prices that sellers have agreed with companies. */
export { agreedPrices, companyOnPro, contractPrices, hasAgreedPrices } from './agreed-prices.ts'
export { createCompanyGroup, givePriceList, setGroupCompanies } from './give-price-list.ts'
export { connectFreeDelivery } from './ports.ts'
export { publicLines } from './sum-of-items.ts'
export {
  claimQuotedPrices,
  handOverQuotedPrices,
  quotesOfOrder,
  readQuoteHolder,
  releaseQuotedPrices,
  writeQuotedPrices,
} from './quoted-prices.ts'
export { hasRulesOrQuotes, readGroups, readLists, writeListEnd } from './store.ts'
