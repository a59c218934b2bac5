import type { Refused } from '@purlin/contract/refusals.ts'
import type { OfferForSale } from '#catalogue'
import type { Scope } from '#platform'

/** Has a refused buyer wait for offers that are sold out, and returns the ids of those that unpaid orders of others hold. */
type Waitlist = (scope: Scope, offers: readonly OfferForSale[]) => Promise<readonly string[]>

let connected: Waitlist | undefined

/** Set once per process, where all modules meet (edges/connect-modules.ts). */
export function connectWaitlist(waitlist: Waitlist): void {
  connected = waitlist
}

/** The refusal as it is, or another if the last pieces may come back; the buyer then waits for them. */
export async function waitIfHeld(scope: Scope, offer: OfferForSale, refused: Refused): Promise<Refused> {
  if (refused.reason !== 'out-of-stock' || !connected) return refused
  const held = await connected(scope, [offer])
  return held.length > 0 ? { ok: false, reason: 'in-other-baskets' } : refused
}
