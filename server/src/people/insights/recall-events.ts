import type { ConsentPurpose } from '@purlin/contract/consent.ts'
import type { EventPayloads } from '#events'
import { enqueue, PermanentError, postWebhook, type CallContext, type JobScope } from '#platform'
import { isPassing } from './forward-events.ts'
import { forwardingServices, type ServiceName } from './forwarding-services.ts'
import { hashFor } from './forwarded-event.ts'
import { forgetSent, readServicesSent } from './forward-store.ts'

export const recallJob = 'insights.recall'

/** One message to a service: which of its visitors withdrew what. */
export interface Recall {
  service: ServiceName
  /** The visitor's name at that service. */
  visitor: string
  withdrawn: readonly ConsentPurpose[]
  /** Later events came with a new consent. */
  withdrawnAt?: string
}

/** A request that was being sent at the moment of the withdrawal arrives before this. */
const afterRequestsMs = 2 * 60_000

/** Plans the messages to services that have received events of a visitor who now withdraws, in the transaction of the withdrawal. */
export async function planRecalls(
  { db, now }: Pick<JobScope, 'db' | 'now'>,
  { visitorId, withdrawn, withdrawnAt, isRepeated }: EventPayloads['consent.withdrawn'] & { visitorId: string },
): Promise<void> {
  // Without statistics the note that events were sent stays: services have had this message.
  if (isRepeated && !withdrawn.includes('statistics')) return
  const sent = await readServicesSent(db, visitorId)
  for (const { name, recall } of forwardingServices()) {
    if (!recall || !sent.includes(name)) continue
    const payload: Recall = { service: name, visitor: hashFor(name, visitorId), withdrawn, ...(withdrawnAt && { withdrawnAt }) }
    const key = `${name} ${payload.visitor} ${withdrawn.join()}`
    await enqueue(db, { name: recallJob, key, payload, runAt: new Date(now.getTime() + afterRequestsMs) })
  }
  if (withdrawn.includes('statistics')) await forgetSent(db, visitorId)
}

/** Sends one message. A refused one becomes a dead letter, any other failure is tried again. */
export async function recallEvents({ now, signal, key }: CallContext, { service: name, ...withdrawal }: Recall): Promise<void> {
  const service = forwardingServices().find((each) => each.name === name)
  if (!service?.recall) return
  const request = service.recall(withdrawal, { id: key, now })
  const { status, error } = await postWebhook(request.url, request.body, request.headers, { signal })
  if (error === null) return
  const problem = `${name}, withdrawal: ${status ?? error}`
  if (error === 'address-refused' || (status !== null && !isPassing(status))) throw new PermanentError(problem)
  throw new Error(problem)
}
