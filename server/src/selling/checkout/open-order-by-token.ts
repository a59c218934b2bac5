import type { Result } from '@purlin/contract/refusals.ts'
import { ownerOf } from '#accounts'
import { grantAccess, readTokenOrder, tokenHash } from '#orders'
import type { Scope } from '#platform'

/**
 * The link of a mail lets this session see one order, and nothing else: not to change it, and above all not to be the
 * person who ordered. Links are forwarded, and sent to people on purpose. Wrong, empty and expired links are all the
 * same. Source: A11, decision 4.
 */
export async function openOrderByToken(scope: Scope, token: string): Promise<Result<{ orderId: string }>> {
  const owner = ownerOf(scope)
  const hash = tokenHash(token)
  const orderId = hash && owner !== null ? await readTokenOrder(scope.db, hash, scope.market) : undefined
  if (owner === null || orderId === undefined) return { ok: false, reason: 'unknown-order' }
  await grantAccess(scope.db, owner, orderId)
  return { ok: true, orderId }
}
