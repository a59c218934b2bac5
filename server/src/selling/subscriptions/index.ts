/** Subscriptions of companies to Purlin Pro: plan, card, renewals, dunning, benefits. */
export { hasSubscription, subscribedPeriod } from './benefits.ts'
