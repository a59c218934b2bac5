import { findOrder, lockPart, moveLines, quantityStates } from '#orders'
import { newId, type Scope } from '#platform'
import { cancellationReasons, planCancellation, type CancellationReason } from './cancellation.ts'
import { insertCancellation, openLines, readCancellations } from './cancellation-store.ts'
import { notifySellerOfRequest } from './notify-cancellation.ts'

export interface CancelLines {
  customerOrderId: string
  sellerOrderId: string
  lines: readonly { offerId: string; quantity: number }[]
  reason: string
}
export type Cancelled =
  | { ok: true; now: number; asked: number }
  | { ok: false; reason: 'unknown-order' | 'nothing-to-cancel' | 'input-invalid' }

/**
 * Cancels pieces of a seller's part: at once while the seller has not accepted them, otherwise as a request to the seller.
 * Decided under the lock of the part, so that pieces which the seller ships meanwhile are not cancelled as well. The refund
 * follows from the event.
 */
export async function cancelLines(scope: Scope, { customerOrderId, sellerOrderId, lines, reason }: CancelLines): Promise<Cancelled> {
  const order = await findOrder(scope, 'order.cancel', customerOrderId)
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  if (!order || !part) return { ok: false, reason: 'unknown-order' }
  // The buyer chose it instead of the money, and may still have the goods.
  if (order.replaces) return { ok: false, reason: 'nothing-to-cancel' }
  if (!isReason(reason) || lines.length > 100 || lines.some(({ quantity }) => !Number.isSafeInteger(quantity) || quantity <= 0))
    return { ok: false, reason: 'input-invalid' }

  await lockPart(scope.db, sellerOrderId)
  const [pieces, earlier] = [await quantityStates(scope.db, [sellerOrderId]), await readCancellations(scope.db, sellerOrderId)]
  const plan = planCancellation(pieces, onePerOffer(lines), openLines(earlier))
  const count = (of: 'now' | 'asked'): number => plan.reduce((all, line) => all + line[of], 0)
  const [now, asked] = [count('now'), count('asked')]
  if (now + asked === 0) return { ok: false, reason: 'nothing-to-cancel' }
  if (now > 0) {
    const moved = await moveLines(scope, {
      sellerOrderId,
      actor: 'buyer',
      reason,
      moves: plan
        .filter((line) => line.now > 0)
        .map((line) => ({ offerId: line.offerId, quantity: line.now, from: 'pending', to: 'cancelled' })),
    })
    if (!moved.ok) return { ok: false, reason: 'nothing-to-cancel' }
  }
  const id = newId()
  const state = asked > 0 ? 'requested' : 'done'
  await insertCancellation(scope.db, {
    id,
    customerOrderId,
    sellerOrderId,
    sellerId: part.sellerId,
    market: order.market,
    reason,
    state,
    lines: plan,
  })
  if (asked > 0) await notifySellerOfRequest(scope, order, part, { id, lines: plan, reason })
  return { ok: true, now, asked }
}

const isReason = (reason: string): reason is CancellationReason => (cancellationReasons as readonly string[]).includes(reason)

/** A form may name a line twice. */
function onePerOffer(lines: CancelLines['lines']): { offerId: string; quantity: number }[] {
  return [...new Map(lines.map(({ offerId, quantity }) => [offerId, quantity]))].map(([offerId, quantity]) => ({ offerId, quantity }))
}
