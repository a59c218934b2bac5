import { authorize } from '#accounts'
import { withoutContacts } from '#messages'
import { lockPart, moveLines, quantityStates } from '#orders'
import type { JobScope, Scope } from '#platform'
import { movesToGrant } from './cancellation.ts'
import { lockCancellation, readCancellations, writeDecision } from './cancellation-store.ts'
import { notifyBuyerOfDecision } from './notify-cancellation.ts'

export type DecidedCancellation =
  | { ok: true; state: 'granted' | 'refused' }
  | { ok: false; reason: 'unknown-request' | 'already-decided' | 'already-shipped' }

/** The seller's answer to a request to cancel pieces they have accepted. Pieces that have left meanwhile are not cancelled. */
export async function decideCancellation(scope: Scope, id: string, grant: boolean, note: string | null): Promise<DecidedCancellation> {
  const asked = isUuid(id) ? await lockCancellation(scope.db, id, scope.market) : undefined
  if (!asked || !authorize(scope, 'return.handle', { sellerId: asked.sellerId })) return { ok: false, reason: 'unknown-request' }
  if (asked.state !== 'requested') return { ok: false, reason: 'already-decided' }
  if (grant) {
    const { sellerOrderId } = asked
    const moved = await moveLines(scope, {
      sellerOrderId,
      actor: 'seller',
      reason: 'buyer-asked',
      moves: (lines) => movesToGrant(lines, asked.lines),
    })
    if (!moved.ok) return { ok: false, reason: 'already-shipped' }
  }
  const state = grant ? 'granted' : 'refused'
  const short = note ? withoutContacts(note.normalize('NFKC').trim().slice(0, 500), scope.market).text || null : null
  await writeDecision(scope.db, id, state, short)
  await notifyBuyerOfDecision(scope, asked, state)
  return { ok: true, state }
}

/** Requests about pieces that have all been sent or cancelled need no answer any more. */
export async function closeOvertaken(scope: JobScope, sellerOrderId: string): Promise<void> {
  await lockPart(scope.db, sellerOrderId)
  const lines = await quantityStates(scope.db, [sellerOrderId])
  for (const request of await readCancellations(scope.db, sellerOrderId)) {
    if (request.state !== 'requested' || movesToGrant(lines, request.lines).length > 0) continue
    if (await writeDecision(scope.db, request.id, 'overtaken', null)) await notifyBuyerOfDecision(scope, request, 'overtaken')
  }
}

export function isUuid(id: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
}
