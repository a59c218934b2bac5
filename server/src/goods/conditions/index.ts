/** Conditions: prices that sellers have agreed with companies. */
export { agreedPrices, hasAgreedPrices } from './agreed-prices.ts'
export { createCompanyGroup, givePriceList, setGroupCompanies } from './give-price-list.ts'
export { readGroups, readLists, writeListEnd } from './store.ts'
