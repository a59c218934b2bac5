/** Subscriptions of companies to Purlin Pro: plan, card, renewals, dunning, benefits. */
export { hasSubscription, subscribedPeriod } from './benefits.ts'
export { closeSubscriptionOf } from './change-subscription.ts'
