import { removeFile } from '#files'
import { forgetAtCarrier, keptSince } from '#fulfilment'
import type { Db, JobScope } from '#platform'
import { referenceOf } from './collection.ts'
import { labelReference } from './consignment.ts'
import { forgetWaysBackBefore, forgetWaysBackOf, type ForgottenReturn } from './return-store.ts'

const atOnce = 500

/** Removes the personal data of these orders' ways back: labels, collection addresses, and what the carrier knows. */
export async function forgetWaysBack(db: Db, customerOrderIds: readonly string[]): Promise<void> {
  await removeData(db, await forgetWaysBackOf(db, customerOrderIds))
}

/** The same for all returns whose last step was some months ago. */
export async function forgetOldWaysBack({ db, now }: Pick<JobScope, 'db' | 'now'>): Promise<void> {
  await removeData(db, await forgetWaysBackBefore(db, keptSince(now), atOnce))
}

async function removeData(db: Db, returns: readonly ForgottenReturn[]): Promise<void> {
  for (const { labelFile } of returns) if (labelFile !== null) await removeFile(db, labelFile)
  await forgetAtCarrier(db, [
    // Each label was a booking of its own, and so was each appointment. The carrier may have booked one whose label was never stored; one
    // that it does not know is as good as forgotten.
    ...returns
      .filter(({ method }) => method === 'label')
      .flatMap(({ id, labelRound }) =>
        Array.from({ length: labelRound + 1 }, (_, round) => ({ kind: 'parcel' as const, reference: labelReference(id, round) })),
      ),
    ...returns.flatMap(({ id, rounds }) =>
      Array.from({ length: rounds }, (_, index) => ({ kind: 'collection' as const, reference: referenceOf(id, index + 1) })),
    ),
  ])
}
