/** Purchasing: quick order, and a company's own references on its orders. */
export { readOrderReference } from './reference-store.ts'
export { setOrderSite } from './order-site-store.ts'
