import { transactionOf } from '@purlin/contract/transaction.ts'
import { repeatJob } from '#consent'
import type { EventPayloads } from '#events'
import { enqueue, PermanentError, postWebhook, visitorsWaiting, type CallContext, type JobScope } from '#platform'
import { forwardingServices, type ForwardingService, type ServiceName } from './forwarding-services.ts'
import { noteSent, readPosition, readReceived, readToForward, writePosition, type NewEvent, type Purchase } from './forward-store.ts'

export const forwardJob = 'insights.forward'

/** Deletes what a visitor has withdrawn. */
export const forgetJob = 'insights.forget-visitor'

/** One request to a service. Ids only: what a visitor withdraws before it is sent is not sent. */
export interface Forward {
  service: ServiceName
  events: readonly (readonly [day: string, id: string])[]
}

const pageSize = 500
const maxPages = 10

/**
 * Plans the requests for what arrived since the last run, in the transaction that moves the service's position: each event
 * is planned once, and sent again only when a response was lost.
 */
export async function planForwarding({ db }: Pick<JobScope, 'db'>): Promise<void> {
  for (const service of forwardingServices()) {
    let position = await readPosition(db, service.name)
    if (!position) {
      await writePosition(db, service.name)
      continue
    }
    for (let page = 0; page < maxPages; page++) {
      const events = await readReceived(db, position, pageSize)
      for (const request of requestsOf(service, events)) {
        const { service: name, events: sent } = request
        await enqueue(db, { name: forwardJob, key: `${name} ${sent[0]?.[1]}`, payload: request })
      }
      // Noted before anything is sent, so that a withdrawal at any later moment knows of it.
      await noteSent(
        db,
        service.name,
        events.filter((event) => isWanted(service, event)).flatMap(({ visitorId }) => visitorId ?? []),
      )
      position = events.at(-1) ?? position
      if (events.length < pageSize) break
    }
    await writePosition(db, service.name, position)
  }
}

function isWanted({ purposes, events: names }: ForwardingService, event: NewEvent): boolean {
  return event.visitorId !== null && names.includes(event.name) && purposes.every((purpose) => event.purposes.includes(purpose))
}

export function requestsOf(service: ForwardingService, events: readonly NewEvent[]): Forward[] {
  const { name, maxEvents, isPerVisitor } = service
  const wanted = events.filter((event) => isWanted(service, event))
  const groups = isPerVisitor ? [...Map.groupBy(wanted, ({ visitorId }) => visitorId).values()] : [wanted]
  return groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / maxEvents) }, (_, at) => ({
      service: name,
      events: group.slice(at * maxEvents, (at + 1) * maxEvents).map(({ day, eventId }) => [day, eventId] as const),
    })),
  )
}

/** Statuses after which the same request may be accepted later. */
export const isPassing = (status: number) => status >= 500 || status === 408 || status === 425 || status === 429

/** Sends one request, unless one of its visitors has withdrawn something that is still to be deleted. A refused one becomes a dead letter, any other failure is tried again. */
export async function forward({ db, now, signal }: CallContext, { service: name, events }: Forward): Promise<void> {
  const service = forwardingServices().find((each) => each.name === name)
  if (!service) return
  const planned = await readToForward(db, events, service.purposes)
  const visitorIds = [...new Set(planned.map(({ visitorId }) => visitorId))]
  const withdrawing = await visitorsWaiting(db, { type: 'consent.withdrawn', job: forgetJob, emittedBy: repeatJob }, visitorIds)
  if (withdrawing.length > 0) throw new Error(`${name}: a withdrawal has not been handled yet`)
  // Read again: a withdrawal that was handled since the first time waits no more, and has deleted what was read.
  const toSend = await readToForward(db, events, service.purposes)
  const request = service.request(toSend, { id: events[0]?.[1] ?? '', now })
  if (!request) return
  const { status, error } = await postWebhook(request.url, request.body, request.headers, { signal })
  if (error === null) return
  const problem = `${name}: ${status ?? error}`
  if (error === 'address-refused' || (status !== null && !isPassing(status))) throw new PermanentError(problem)
  throw new Error(problem)
}

export const purchaseJob = 'insights.take-purchase'

/** Notes what was paid for an order, by which its receipt becomes a purchase. As a job: insights may fail, and a payment must not. */
export async function notePurchase({ db }: Pick<JobScope, 'db'>, paid: EventPayloads['order.paid']): Promise<void> {
  const { customerOrderId, market, amount, currency } = paid
  if (amount === undefined || currency === undefined || forwardingServices().length === 0) return
  const payload: Purchase = { transaction: await transactionOf(customerOrderId), market, amount, currency }
  await enqueue(db, { name: purchaseJob, key: payload.transaction, payload })
}
