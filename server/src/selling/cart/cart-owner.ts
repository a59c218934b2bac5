import type { Mode } from '@purlin/contract/markets.ts'
import { ownerOf } from '#accounts'
import type { Scope } from '#platform'

/**
 * Whose cart it is. A customer has one cart per market and storefront: what they pick as a professional is not bought as
 * a consumer. A guest's session is of one storefront anyway.
 */
export function cartOwnerOf(scope: Pick<Scope, 'principal' | 'mode'>): string | null {
  const owner = ownerOf(scope)
  return owner && cartOwnerIn(owner, scope.mode)
}

/** @param owner as `ownerOf` names it */
export function cartOwnerIn(owner: string, mode: Mode): string {
  return owner.startsWith('c:') && mode === 'b2b' ? `${owner}:pro` : owner
}
