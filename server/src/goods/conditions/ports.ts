import type { SiteScope } from '#platform'

/** Whether a company's subscription pays the delivery of its parcels. */
interface FreeDelivery {
  /** SQL: what decides about this company, as one JSON value; null for most. */
  facts: (company: string) => string
  isFree: (facts: object | null, site: Pick<SiteScope, 'market' | 'now'>) => boolean
}

let connected: FreeDelivery | undefined

/** Subscriptions belong to a later module, which is connected here before the first request. */
export function connectFreeDelivery(freeDelivery: FreeDelivery): void {
  connected = freeDelivery
}

export function freeDelivery(): FreeDelivery {
  if (!connected) throw new Error('connectFreeDelivery was not called: what a company pays for delivery is unknown')
  return connected
}
