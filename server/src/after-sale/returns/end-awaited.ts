import type { CarrierNews } from '#fulfilment'
import { enqueue, type JobScope } from '#platform'
import { canAsk, followAnswer } from './ask-carrier.ts'
import { notifyReturn, notifySellerOfAwaited } from './notify-return.ts'
import { refundReturn } from './refund-return.ts'
import { awaitedDays, endsWithoutGoodsAt, endWithoutGoods, type ReturnRequest } from './return-request.ts'
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
    if (request.isCarried || !canAsk(request)) await remind(scope, request)
    else await enqueue(db, { name: 'returns.remind-of-unseen', key: request.id, payload: awaitedJob(request) })
  }
}

/** The same once the carrier has been asked about goods that only their buyer says to be on their way. */
export async function remindOfUnseen(scope: JobScope, job: AwaitedJob, news: CarrierNews | null): Promise<void> {
  const request = await stillAwaited(scope, job, news)
  if (request) await remind(scope, request)
}

async function remind(scope: JobScope, request: ReturnRequest): Promise<void> {
  const payload = awaitedJob(request)
  const runAt = endsWithoutGoodsAt(request, scope.now)
  await enqueue(scope.db, { name: 'returns.end-awaited', key: `${request.id}/${payload.since}`, payload, runAt })
  await notifySellerOfAwaited(scope, request, request.isCarried ? 'carried' : 'unseen')
  if (!request.isCarried) await notifyReturn(scope, request, 'unseen')
}

const awaitedJob = ({ id, updatedAt }: ReturnRequest): AwaitedJob => ({ requestId: id, since: updatedAt.getTime() })

/** Undefined if the goods have been received meanwhile, or if the carrier's answer begins their time anew. */
async function stillAwaited(
  scope: JobScope,
  { requestId, since }: AwaitedJob,
  news: CarrierNews | null,
): Promise<ReturnRequest | undefined> {
  await followAnswer(scope, news)
  const request = await lockAnyReturn(scope.db, requestId)
  return request?.state === 'in-transit' && request.updatedAt.getTime() === since ? request : undefined
}

/**
 * The end of a return whose goods do not arrive, so that neither the buyer's money nor the seller's waits for ever: what a carrier has is
 * paid back, as the parcel is no longer in the buyer's hands; otherwise the return lapses, and goods that arrive later are received all
 * the same. The carrier has been asked before, if the goods have a label of the shop.
 */
export async function endAwaited(scope: JobScope, job: AwaitedJob, news: CarrierNews | null = null): Promise<void> {
  const request = await stillAwaited(scope, job, news)
  if (!request) return
  const state = endWithoutGoods(request)
  // If everything has been paid back otherwise, it is settled with that.
  if (state === 'refunded') await refundReturn(scope, request, null)
  const { id: returnId, customerOrderId, sellerOrderId } = request
  await writeReturnStep(scope.db, returnId, { from: 'in-transit', to: state, actor: 'system' })
  scope.emit('return.changed', { returnId, customerOrderId, sellerOrderId, state })
  await notifyReturn(scope, request, state === 'refunded' ? 'carried-refunded' : 'unseen-lapsed')
  if (state === 'refunded') await notifySellerOfAwaited(scope, request, 'refunded')
}
