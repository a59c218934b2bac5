import type { Scope } from '#platform'

/**
 * Whose carts, orders and addresses: the customer's, else the session's. Null when nobody is there, which must never match
 * anything.
 */
export function ownerOf(scope: Pick<Scope, 'viewer' | 'session'>): string | null {
  if (scope.viewer.kind !== 'guest') return scope.viewer.customerId ? `c:${scope.viewer.customerId}` : null
  return scope.session?.id ? `s:${scope.session.id}` : null
}
