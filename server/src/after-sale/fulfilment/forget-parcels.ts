import { monthsBefore } from '@purlin/contract/months-before.ts'
import { removeFile } from '#files'
import { enqueue, type CallContext, type Db, type JobScope } from '#platform'
import { carrierOfShop } from './carrier-of-shop.ts'
import { connectedCarrier, type Forgotten } from './carrier.ts'
import { forgetParcelsOf, forgetParcelsSentBefore, type ForgottenParcel } from './store.ts'

/** Months for which carriers take claims about a parcel, and customers ask about it. The privacy notices name them. */
export const keptMonths = 6
const atOnce = 500

/** The time before which parcels and returns have lost their personal data. */
export function keptSince(now: Date): Date {
  return monthsBefore(now, keptMonths)
}

/** Has the carrier remove its personal data of these parcels and collections; retried until it has done so. */
export async function forgetAtCarrier(db: Db, forgotten: readonly Forgotten[]): Promise<void> {
  if (!carrierOfShop()) return
  for (const each of forgotten)
    await enqueue(db, { name: 'fulfilment.forget-at-carrier', key: `${each.kind}/${each.reference}`, payload: each })
}

export async function askToForget({ signal }: CallContext, forgotten: Forgotten): Promise<null> {
  await carrierOfShop()?.forget(forgotten, { signal })
  return null
}

/** Removes the personal data of these orders' parcels: labels, places, and what the carrier knows. Returns the parcels' ids. */
export async function forgetParcels(db: Db, customerOrderIds: readonly string[]): Promise<string[]> {
  const parcels = await forgetParcelsOf(db, customerOrderIds)
  await removeData(db, parcels)
  return parcels.map(({ id }) => id)
}

/** The same for all parcels that were sent some months ago. */
export async function forgetOldParcels({ db, now }: Pick<JobScope, 'db' | 'now'>): Promise<void> {
  await removeData(db, await forgetParcelsSentBefore(db, keptSince(now), atOnce))
}

async function removeData(db: Db, parcels: readonly ForgottenParcel[]): Promise<void> {
  for (const { labelFile } of parcels) if (labelFile !== null) await removeFile(db, labelFile)
  const own = parcels.filter(({ carrier }) => carrier === connectedCarrier)
  await forgetAtCarrier(
    db,
    own.map(({ id }) => ({ kind: 'parcel', reference: id })),
  )
}
