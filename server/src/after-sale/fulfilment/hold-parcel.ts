import { enqueue, type JobScope } from '#platform'
import { heldDays } from '#pickup'
import { endIdleDues } from './check-deadlines.ts'
import { stateOfParcel } from './parcel.ts'
import { readParcel, writeDues, writeHeld, type Parcel } from './store.ts'
import { tellToCollect } from './tell-of-parcel.ts'

const day = 86_400_000
/** Parts of the time a point holds a parcel, after which its buyer is reminded: about half of it, and the day before it ends. */
const remindedAfter = [3 / 7, 6 / 7]

export interface CollectReminder {
  parcelId: string
  /** The first is 1. */
  number: number
}

/** A parcel has arrived at a pick-up point: the buyer hears until when it is held, and is reminded while it waits there. */
export async function holdParcel(
  scope: JobScope,
  parcel: Parcel,
  { arrivedAt, heldUntil, isHistory }: { arrivedAt: Date; heldUntil: Date | null; isHistory: boolean },
): Promise<void> {
  const { db, now } = scope
  const until = heldUntil ?? new Date(arrivedAt.getTime() + heldDays * day)
  if (!(await writeHeld(db, parcel.id, until)) || isHistory || until <= now) return
  const { sellerOrderId, customerOrderId, sellerId, market } = parcel
  await writeDues(db, [{ sellerOrderId, kind: 'collect', customerOrderId, sellerId, market, dueAt: until }])
  await endIdleDues(scope, sellerOrderId)
  await tellToCollect(scope, { ...parcel, heldUntil: until }, 'ready')
  for (const [index, part] of remindedAfter.entries()) {
    const runAt = new Date(arrivedAt.getTime() + (until.getTime() - arrivedAt.getTime()) * part)
    const reminder: CollectReminder = { parcelId: parcel.id, number: index + 1 }
    await enqueue(db, { name: 'fulfilment.remind-to-collect', key: `${parcel.id}/${index + 1}`, payload: reminder, runAt })
  }
}

/** Reminds of a parcel that still waits; one collected or sent back in the meantime needs no reminder. */
export async function remindToCollect(scope: JobScope, { parcelId }: CollectReminder): Promise<void> {
  const parcel = await readParcel(scope.db, parcelId)
  if (parcel && stateOfParcel(parcel.events) === 'waiting-for-you' && parcel.heldUntil && parcel.heldUntil > scope.now)
    await tellToCollect(scope, parcel, 'collect-soon')
}
