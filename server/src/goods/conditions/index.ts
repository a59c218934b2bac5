/** Conditions: prices that sellers have agreed with companies. */
export { agreedPrices, contractPrices, hasAgreedPrices } from './agreed-prices.ts'
export { createCompanyGroup, givePriceList, setGroupCompanies } from './give-price-list.ts'
export { chooseOffers, ownOffers, type Wanted } from './own-offers.ts'
export { publicLines } from './sum-of-items.ts'
export {
  claimQuotedPrices,
  handOverQuotedPrices,
  quotesOfOrder,
  readQuoteHolder,
  releaseQuotedPrices,
  writeQuotedPrices,
} from './quoted-prices.ts'
export { readGroups, readLists, writeListEnd } from './store.ts'
