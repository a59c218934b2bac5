/** Product history of customers: what they looked at, on all their devices. A guest's stays in the browser. */
export { keptMonths, maxEntries, readHistory, removeHistoryOf } from './store.ts'
