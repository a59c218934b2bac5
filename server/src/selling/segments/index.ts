/** Segments: groups of customers, computed from orders and visits, imported, and stated by themselves. */
export { namesHeld } from './names-held.ts'
export { readKept, removeSegmentsOf } from './store.ts'
