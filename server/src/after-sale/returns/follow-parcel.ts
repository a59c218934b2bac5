import type { EventPayloads } from '#events'
import { removeFile } from '#files'
import { parcelEventKinds, stateOfParcel, wasAtDoor, type ParcelEvent } from '#fulfilment'
import type { JobScope } from '#platform'
import { areStillFree } from './are-still-free.ts'
import { arrangeWayBack } from './arrange-way-back.ts'
import type { ReturnRequest, ReturnState } from './return-request.ts'
import { dropLabel, postponeReturn, takeReport, writeReturnStep } from './return-store.ts'

/** In these the carrier's word counts: also for goods that are handed over late. */
const open: ReadonlySet<ReturnState> = new Set(['label-sent', 'in-transit', 'lapsed'])

export async function followReturnParcel(
  scope: JobScope,
  { trackingNumber, events = [] }: EventPayloads['foreign-parcel.reported'],
): Promise<void> {
  const known = events.flatMap(({ kind: name, at }) => {
    const kind = parcelEventKinds.find((each) => each === name)
    return kind ? [{ kind, at: new Date(at) }] : []
  })
  await followParcel(scope, trackingNumber, known)
}

/**
 * The carrier has the parcel: the buyer need not say so. If it brings the parcel back to the buyer without having tried to deliver it,
 * that was no hand-over; if it has tried, the seller did not accept the goods, and the proof that they were sent stays.
 */
export async function followParcel(
  scope: JobScope,
  trackingNumber: string,
  events: readonly Pick<ParcelEvent, 'kind' | 'at'>[],
): Promise<void> {
  const parcel = stateOfParcel(events)
  if (parcel === 'preparing') return
  // Messages are repeated until they are received, and may arrive after newer ones.
  const newest = new Date(Math.max(...events.map(({ at }) => at.getTime())))
  const request = await takeReport(scope.db, trackingNumber, newest)
  if (!request || !open.has(request.state)) return
  if (parcel === 'returned' && !wasAtDoor(events)) return request.state === 'lapsed' ? undefined : sendAgain(scope, request)
  await takeProof(scope, request)
}

/** The carrier has the goods of a locked return: they are on their way with proof, late ones unless their pieces are in another return. */
export async function takeProof(scope: JobScope, request: ReturnRequest): Promise<void> {
  const { id, state, isCarried } = request
  if (!open.has(state) || isCarried || (state === 'lapsed' && !(await areStillFree(scope, request)))) return
  await writeReturnStep(scope.db, id, { from: state, to: 'in-transit', actor: 'system' })
  if (state !== 'in-transit') tellOf(scope, request, 'in-transit')
}

/** A label carries one parcel once: the goods need a new one, and its own time. Reports about the old label find no return any more. */
async function sendAgain(scope: JobScope, request: ReturnRequest): Promise<void> {
  const { id, state, labelFile } = request
  if (state === 'label-sent') await postponeReturn(scope.db, id, scope.now)
  else {
    await writeReturnStep(scope.db, id, { from: state, to: 'label-sent', actor: 'system' })
    tellOf(scope, request, 'label-sent')
  }
  if (labelFile !== null) await removeFile(scope.db, labelFile)
  await dropLabel(scope.db, id)
  await arrangeWayBack(scope, request)
}

function tellOf(scope: JobScope, { id: returnId, customerOrderId, sellerOrderId }: ReturnRequest, state: string): void {
  scope.emit('return.changed', { returnId, customerOrderId, sellerOrderId, state })
}
