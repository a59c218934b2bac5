import type { Result } from '@purlin/contract/refusals.ts'
import { rememberGuest } from '#accounts'
import { ownerOf } from '#cart'
import { grantAccess, readTokenOrder, tokenHash } from '#orders'
import type { Scope } from '#platform'

/**
 * The link of a mail gives this session the right to see its order: whoever reads that mailbox is the guest who ordered, unless the
 * session already knows one. Wrong, empty and expired links are all the same. Source: A11, decision 4.
 */
export async function openOrderByToken(scope: Scope, token: string): Promise<Result<{ orderId: string }>> {
  const owner = ownerOf(scope)
  const hash = tokenHash(token)
  const order = hash && owner !== null ? await readTokenOrder(scope.db, hash, scope.market) : undefined
  if (owner === null || order === undefined) return { ok: false, reason: 'unknown-order' }
  // The right first: the session's one-statement write ends a command that has not written before.
  await grantAccess(scope.db, owner, order.id)
  if (scope.session && scope.session.guestEmail === null) await rememberGuest(scope, order.email)
  return { ok: true, orderId: order.id }
}
