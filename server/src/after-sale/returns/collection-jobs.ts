import { carrierOfShop, forgetAtCarrier } from '#fulfilment'
import { enqueue, PermanentError, type CallContext, type JobScope } from '#platform'
import { placeOf } from './consignment.ts'
import type { ReturnJob } from './arrange-way-back.ts'
import { hoursOf, isForgotten, readReference, referenceOf } from './collection.ts'
import { lockCollection, readCollection, writeCollection } from './collection-store.ts'
import { notifyCollection } from './notify-collection.ts'
import { takeProof } from './follow-parcel.ts'
import { lockAnyReturn, postponeReturn, readAnyReturn } from './return-store.ts'
import type { EventPayloads } from '#events'

/** Tells the carrier what the buyer has chosen: earlier bookings are cancelled first. Repeated after a crash, it books once. */
export async function tellCarrier(
  { db, signal }: CallContext,
  { requestId }: ReturnJob,
): Promise<{ round: number; isBooked: boolean } | null> {
  const carrier = carrierOfShop()
  if (!carrier) throw new PermanentError('The shop has no carrier')
  const [request, collection] = [await readAnyReturn(db, requestId), await readCollection(db, requestId)]
  if (!request || !collection) return null
  const { round, state, address } = collection
  for (let earlier = Math.max(1, collection.bookedRound ?? 1); earlier < round; earlier += 1)
    await carrier.cancelCollection(referenceOf(requestId, earlier), { signal })
  const isBooked = state === 'accepted' && request.state === 'label-sent' && !isForgotten(collection)
  if (isBooked)
    await carrier.bookCollection(
      {
        reference: referenceOf(requestId, round),
        address: placeOf(address),
        phone: address.phone,
        ...hoursOf(request.market, collection),
        instructions: address.instructions,
      },
      { signal },
    )
  return { round, isBooked }
}

export async function recordBooked(
  scope: JobScope,
  { requestId }: ReturnJob,
  told: { round: number; isBooked: boolean } | null,
): Promise<void> {
  const collection = told && (await lockCollection(scope.db, requestId))
  if (!collection) return
  // Forgotten while it was being booked: the carrier was asked before it had the address.
  if (told.isBooked && isForgotten(collection))
    await forgetAtCarrier(scope.db, [{ kind: 'collection', reference: referenceOf(requestId, told.round) }])
  // Changed while the carrier was told: it is told again, and cancels this round.
  if (collection.round !== told.round)
    return enqueue(scope.db, { name: 'returns.arrange-collection', key: requestId, payload: { requestId } satisfies ReturnJob })
  const request = await readAnyReturn(scope.db, requestId)
  if (!request || !told.isBooked || collection.state !== 'accepted') return
  const booked = { ...collection, state: 'booked' as const, bookedRound: told.round }
  await writeCollection(scope.db, booked)
  await notifyCollection(scope, request, booked, 'booked')
}

/**
 * Applies the carrier's signed status of the latest booking. Of earlier ones, which the carrier may have carried out before it was told of
 * the change, it counts that the goods were collected: that is proof (decision 107).
 */
export async function followCollection(
  scope: JobScope,
  { collectionReference, state }: EventPayloads['collection.reported'],
): Promise<void> {
  const about = readReference(collectionReference)
  const collection = about && (await lockCollection(scope.db, about.requestId))
  const request = collection && (await lockAnyReturn(scope.db, collection.requestId))
  if (!request || !collection || collection.round < about.round || collection.state === 'collected') return
  const isLatest = collection.round === about.round
  if (state === 'collected') {
    const { requestId, round } = collection
    // Of an earlier booking the appointment is not stored any more: the rounds differ, and no time is shown.
    await writeCollection(scope.db, { ...collection, state: 'collected', ...(isLatest ? { bookedRound: round } : { round: round + 1 }) })
    if (!isLatest)
      await enqueue(scope.db, { name: 'returns.arrange-collection', key: requestId, payload: { requestId } satisfies ReturnJob })
    return takeProof(scope, request)
  }
  if (isLatest && (state === 'missed' || state === 'cancelled') && (collection.state === 'booked' || collection.state === 'accepted')) {
    const missed = { ...collection, state: 'missed' as const }
    await writeCollection(scope.db, missed)
    // The buyer has chosen in time, and is to choose again.
    await postponeReturn(scope.db, request.id, scope.now)
    await notifyCollection(scope, request, missed, 'missed')
  }
}

/** The driver is called off when the goods stay, are brought to the carrier, or are paid for without coming back. */
export async function endCollection(scope: JobScope, { returnId, state }: EventPayloads['return.changed']): Promise<void> {
  if (state === 'requested' || state === 'accepted' || state === 'label-sent') return
  const collection = await lockCollection(scope.db, returnId)
  if (!collection || collection.state === 'collected' || collection.state === 'cancelled') return
  await writeCollection(scope.db, { ...collection, state: 'cancelled', round: collection.round + 1 })
  await enqueue(scope.db, { name: 'returns.arrange-collection', key: returnId, payload: { requestId: returnId } satisfies ReturnJob })
}
