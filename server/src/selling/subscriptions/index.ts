/** Subscriptions of companies to Purlin Pro: plan, card, renewals, dunning, benefits. */
export { freeDelivery, hasSubscription, subscribedPeriod } from './benefits.ts'
export { closeSubscriptionOf } from './change-subscription.ts'
export { freeReturnDays } from './free-returns.ts'
export { noteAttempt, renewDue } from './charge.ts'
export { applySetup, noteSetup } from './set-up-card.ts'
export { readSubscriptionsBegunBy } from './store.ts'
export { startSubscription } from './start-subscription.ts'
