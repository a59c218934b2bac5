import type { Scope } from '#platform'

/** Whether the viewer, or the company they order for, has ever paid for an order. */
type HasBought = (scope: Scope) => Promise<boolean>

let connected: HasBought | undefined

/** Set once per process, where all modules meet (edges/connect-modules.ts): orders come after carts. */
export function connectPurchases(purchases: HasBought): void {
  connected = purchases
}

/** Without the orders nobody has a first one: a coupon for first orders is refused rather than given twice. */
export async function hasBought(scope: Scope): Promise<boolean> {
  return connected ? connected(scope) : true
}
