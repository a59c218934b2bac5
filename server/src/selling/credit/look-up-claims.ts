import { enqueue, type JobScope } from '#platform'
import { takeUnseenClaims } from './store.ts'

const atOnce = 500

/** Each open claim is compared with the provider's once a day: a payment whose message was lost frees the company's limit all the same. */
export async function planLookUps({ db, now }: JobScope): Promise<void> {
  for (const claimId of await takeUnseenClaims(db, now, atOnce))
    await enqueue(db, { name: 'credit.look-up-claim', key: claimId, payload: { claimId } })
}
