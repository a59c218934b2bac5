import type { Mode } from '@purlin/contract/markets.ts'
import { ownerOf } from '#accounts'
import type { Scope } from '#platform'

/**
 * The owner of a cart. A customer has one cart per market and storefront, because a professional basket is not bought at
 * consumer prices. A guest's session belongs to one storefront anyway.
 */
export function cartOwnerOf(scope: Pick<Scope, 'principal' | 'mode'>): string | null {
  const owner = ownerOf(scope)
  return owner && cartOwnerIn(owner, scope.mode)
}

/** @param owner in the form `ownerOf` returns */
export function cartOwnerIn(owner: string, mode: Mode): string {
  return owner.startsWith('c:') && mode === 'b2b' ? `${owner}:pro` : owner
}
