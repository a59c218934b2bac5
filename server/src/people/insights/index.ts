/** What the shop learns, with consent: events, web vitals, product views of customers. */
export { forgetViewsOf, readViewsOf } from './store.ts'
export { addInsights, type Section } from './insights-page.ts'
export { networkGroupOf } from './network-group.ts'
export { readReached, type Reached } from './read-reached.ts'
export { readViewedByDay } from './read-viewed.ts'
export { rollUp } from './roll-up.ts'
export { moveAllBursts } from './burst-store.ts'
