/** The newsletter: subscription by address, with double opt-in. */
export { readSubscriptionsOf, removeSubscriptionsOf } from './subscribe.ts'
export { countSubscriptions } from './store.ts'
