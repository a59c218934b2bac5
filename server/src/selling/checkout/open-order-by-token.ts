import type { Result } from '@purlin/contract/refusals.ts'
import { ownerOf } from '#accounts'
import { grantAccess, readTokenOrder, tokenHash } from '#orders'
import type { Scope } from '#platform'

/**
 * Opens the order of a mail link to this session, for viewing only: it grants no changes and, above all, no identity.
 * Links get forwarded, and sent to people on purpose. Wrong, empty and expired links are indistinguishable.
 * Source: A11, decision 4.
 */
export async function openOrderByToken(scope: Scope, token: string): Promise<Result<{ orderId: string }>> {
  const owner = ownerOf(scope)
  const hash = tokenHash(token)
  const orderId = hash && owner !== null ? await readTokenOrder(scope.db, hash, scope.market) : undefined
  if (owner === null || orderId === undefined) return { ok: false, reason: 'unknown-order' }
  await grantAccess(scope.db, owner, orderId)
  return { ok: true, orderId }
}
