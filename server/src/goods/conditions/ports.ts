import type { Scope } from '#platform'

/** Whether the acting company's subscription pays the delivery of its parcels. */
type FreeDelivery = (scope: Pick<Scope, 'db' | 'principal' | 'market' | 'now'>) => Promise<boolean>

let isFree: FreeDelivery = () =>
  Promise.reject(new Error('connectFreeDelivery was not called: what a company pays for delivery is unknown'))

/** Subscriptions belong to a later module, which is connected here. */
export function connectFreeDelivery(find: FreeDelivery): void {
  isFree = find
}

export const hasFreeDelivery: FreeDelivery = (scope) => isFree(scope)
