/** What the shop learns, with consent: events, web vitals, product views of customers. */
export { forgetViewsOf, readViewsOf } from './store.ts'
export { rollUp } from './roll-up.ts'
