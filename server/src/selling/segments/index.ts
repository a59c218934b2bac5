/** Segments: groups of customers, computed from orders and visits, imported, and stated by themselves. */
export { belongsTo } from './belongs-to.ts'
export { namesHeld } from './names-held.ts'
export { readKept, removeSegmentsOf } from './store.ts'
