import { enqueue, type JobScope } from '#platform'
import { notifyReturn, notifySellerOfAwaited } from './notify-return.ts'
import { refundReturn } from './refund-return.ts'
import { awaitedDays, endsWithoutGoodsAt, endWithoutGoods } from './return-request.ts'
import { lockAnyReturn, takeAwaited, writeReturnStep } from './return-store.ts'

export interface AwaitedJob {
  requestId: string
  /** When the goods were handed over: it does not end what has been sent once more since. */
  since: number
}

const dayMs = 86_400_000

/**
 * Goods that were handed over and not received: their seller is reminded, and their buyer asked for the receipt unless the carrier has
 * them. A job ends the return if neither of them does.
 */
export async function remindOfAwaited(scope: JobScope): Promise<void> {
  const { db, now } = scope
  for (const request of await takeAwaited(db, new Date(now.getTime() - awaitedDays * dayMs), now)) {
    const payload: AwaitedJob = { requestId: request.id, since: request.updatedAt.getTime() }
    const runAt = endsWithoutGoodsAt(request, now)
    await enqueue(db, { name: 'returns.end-awaited', key: `${request.id}/${payload.since}`, payload, runAt })
    await notifySellerOfAwaited(scope, request, request.isCarried ? 'carried' : 'unseen')
    if (!request.isCarried) await notifyReturn(scope, request, 'unseen')
  }
}

/**
 * The end of a return whose goods do not arrive, so that neither the buyer's money nor the seller's waits for ever: what a carrier has is
 * paid back, as the parcel is no longer in the buyer's hands; otherwise the return lapses, and goods that arrive later are received all
 * the same.
 */
export async function endAwaited(scope: JobScope, { requestId, since }: AwaitedJob): Promise<void> {
  const request = await lockAnyReturn(scope.db, requestId)
  if (request?.state !== 'in-transit' || request.updatedAt.getTime() !== since) return
  const state = endWithoutGoods(request)
  // If everything has been paid back otherwise, it is settled with that.
  if (state === 'refunded') await refundReturn(scope, request, null)
  const { id: returnId, customerOrderId, sellerOrderId } = request
  await writeReturnStep(scope.db, returnId, { from: 'in-transit', to: state, actor: 'system' })
  scope.emit('return.changed', { returnId, customerOrderId, sellerOrderId, state })
  await notifyReturn(scope, request, state === 'refunded' ? 'carried-refunded' : 'unseen-lapsed')
  if (state === 'refunded') await notifySellerOfAwaited(scope, request, 'refunded')
}
