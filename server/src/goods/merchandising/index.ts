/** The operators' search settings, and search analytics. */
export { applyLevers } from './apply-levers.ts'
export { addGeneralSynonyms } from './store.ts'
export { flushQueries, flushSearches, noteSearch, type WatchedSearch } from './watch-searches.ts'
