import type { Result } from '@purlin/contract/refusals.ts'
import { authorize, customerIdOf, emailOf, ownerOf } from '#accounts'
import { followAddressLater } from '#auth'
import { grantAccess, readTokenOrder, tokenHash } from '#orders'
import type { Scope } from '#platform'

/**
 * Opens the order of a mail link to this session, for viewing only: it grants no changes and, above all, no identity.
 * Links get forwarded, and sent to people on purpose. An account with the order's own address becomes its owner (decision 090). Wrong, empty and expired links are indistinguishable.
 * A company's order opens to its present members alone, who sign in.
 * Source: A11, decisions 4 and 063.
 */
export async function openOrderByToken(scope: Scope, token: string): Promise<Result<{ orderId: string }>> {
  const owner = ownerOf(scope)
  const hash = tokenHash(token)
  const order = hash && owner !== null ? await readTokenOrder(scope.db, hash, scope.market) : undefined
  if (owner === null || order === undefined) return { ok: false, reason: 'unknown-order' }
  const orderId = order.id
  if (order.companyId === null) {
    await grantAccess(scope.db, owner, orderId)
    // The provider has confirmed a customer's address.
    const customerId = customerIdOf(scope)
    if (customerId !== null && emailOf(scope)?.toLowerCase() === order.email.toLowerCase()) await followAddressLater(scope.db, customerId)
  } else if (!authorize(scope, 'order.see', order)) return { ok: false, reason: 'members-only' }
  return { ok: true, orderId }
}
