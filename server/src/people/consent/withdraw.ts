import type { ConsentPurpose } from '@purlin/contract/consent.ts'
import { dequeue, enqueue, type JobScope } from '#platform'

export const repeatJob = 'consent.repeat-withdrawal'

/** Withdraws one purpose a second time. */
export interface Repeat {
  visitorId: string
  purpose: ConsentPurpose
  endsId?: true
}

/**
 * A request that was on its way, or waiting for its turn, brings the cookies of before the withdrawal and is stored after it. It has
 * ninety seconds to arrive (`maxUploadMs`).
 */
const afterLateRequestsMs = 2 * 60_000

export interface Withdrawal {
  visitorId: string | null
  customerId: string | null
  withdrawn: readonly ConsentPurpose[]
  /** The browser does not keep the id, and no later choice gets it again. */
  endsId: boolean
}

/** What was stored under these purposes is deleted by its modules within seconds, and once more when no late request can add to it. */
export async function withdraw({ db, emit, now }: JobScope, { visitorId, customerId, withdrawn, endsId }: Withdrawal): Promise<void> {
  const ending = endsId && visitorId !== null ? { endsId } : {}
  emit('consent.withdrawn', { visitorId, customerId, withdrawn: [...withdrawn], withdrawnAt: now.toISOString(), ...ending })
  if (visitorId === null) return
  const runAt = new Date(now.getTime() + afterLateRequestsMs)
  for (const purpose of withdrawn) {
    const payload: Repeat = { visitorId, purpose, ...ending }
    await enqueue(db, { name: repeatJob, key: keyOf(payload), payload, runAt })
  }
}

/** The visitor has agreed again: what is stored from now on stays. */
export async function keepFromNow({ db }: JobScope, visitorId: string, purposes: readonly ConsentPurpose[]): Promise<void> {
  for (const purpose of purposes) await dequeue(db, repeatJob, keyOf({ visitorId, purpose }))
}

const keyOf = ({ visitorId, purpose }: Pick<Repeat, 'visitorId' | 'purpose'>) => `${visitorId} ${purpose}`

/** Names no customer: other browsers of theirs may have agreed in the meantime. */
export async function repeatWithdrawal(
  { emit, now }: Pick<JobScope, 'emit' | 'now'>,
  { visitorId, purpose, ...ending }: Repeat,
): Promise<void> {
  const repeated = { visitorId, customerId: null, withdrawn: [purpose], withdrawnAt: now.toISOString(), ...ending }
  emit('consent.withdrawn', { ...repeated, isRepeated: true })
}
