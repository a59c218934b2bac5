import { customerIdOf } from '#accounts'
import type { Scope } from '#platform'
import type { Pot } from './store.ts'

type OwnsPaidOrder = (scope: Scope) => Promise<boolean>

let connected: OwnsPaidOrder | undefined

/** Set once per process, where all modules meet (edges/connect-modules.ts): orders come after uploads. */
export function connectBuyers(ownsPaidOrder: OwnsPaidOrder): void {
  connected = ownsPaidOrder
}

/** Sessions cost nothing and accounts little: only paid orders cannot be had in numbers. */
export async function potOf(scope: Scope): Promise<Pot> {
  if (connected && (await connected(scope))) return 'buyer'
  return customerIdOf(scope) === null ? 'guest' : 'customer'
}
