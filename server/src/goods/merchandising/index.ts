/** The operators' levers on search, and what people searched. */
export { applyLevers } from './apply-levers.ts'
export { addGeneralSynonyms } from './store.ts'
export { flushSearches, noteSearch, type WatchedSearch } from './watch-searches.ts'
