/** Segments: groups of customers, computed from orders and visits, imported, and stated by themselves. */
export { readKept, removeSegmentsOf } from './store.ts'
