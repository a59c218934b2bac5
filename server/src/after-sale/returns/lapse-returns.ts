import { quantityStates } from '#orders'
import type { JobScope } from '#platform'
import { localDay } from '#pricing'
import { askLater, canAsk } from './ask-carrier.ts'
import { readCollection } from './collection-store.ts'
import { notifyReturn } from './notify-return.ts'
import { graceDays, sendBackDays, type ReturnRequest } from './return-request.ts'
import { lockOverdue, postponeReturn, takeToRemind, writeReturnStep } from './return-store.ts'

const dayMs = 86_400_000

/**
 * Goods that were announced and not handed over in time: their buyer is reminded, and after some days of grace the return lapses,
 * so that the seller's money does not wait for ever. Goods that arrive later are received all the same.
 */
export async function lapseReturns(scope: JobScope): Promise<void> {
  const { db, now } = scope
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
  for (const request of await takeToRemind(db, daysAgo(sendBackDays), now)) {
    if (await cannotBeSentYet(scope, request)) await postponeReturn(db, request.id, now)
    else {
      await notifyReturn(scope, request, 'reminder')
      // The buyer may have handed them over, and the carrier's messages been lost.
      if (canAsk(request)) await askLater(scope, request.id)
    }
  }
  for (const request of await lockOverdue(db, daysAgo(sendBackDays + graceDays), daysAgo(graceDays))) {
    if (await cannotBeSentYet(scope, request)) {
      await postponeReturn(db, request.id, now)
      continue
    }
    const { id, customerOrderId, sellerOrderId } = request
    if (!(await writeReturnStep(db, id, { from: 'label-sent', to: 'lapsed', actor: 'system' }))) continue
    scope.emit('return.changed', { returnId: id, customerOrderId, sellerOrderId, state: 'lapsed' })
    await notifyReturn(scope, request, 'lapsed')
  }
}

/** Whether the goods have not arrived at the buyer, who withdrew before, or wait for a driver's appointment. */
async function cannotBeSentYet({ db, now }: JobScope, { id, market, sellerOrderId, lines }: ReturnRequest): Promise<boolean> {
  const collection = await readCollection(db, id)
  const isDriverExpected = collection?.state === 'accepted' || collection?.state === 'booked'
  if (isDriverExpected && collection.day >= localDay(market, now)) return true
  const states = await quantityStates(db, [sellerOrderId])
  return states.some(
    ({ offerId, quantities }) =>
      lines.some((line) => line.offerId === offerId) && (quantities.shipped ?? 0) + (quantities['incident-open'] ?? 0) > 0,
  )
}
