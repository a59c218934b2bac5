import { carrierOfShop, type CarrierNews } from '#fulfilment'
import { enqueue, PermanentError, type CallContext, type JobScope } from '#platform'
import type { ReturnJob } from './arrange-way-back.ts'
import { followParcel } from './follow-parcel.ts'
import type { ReturnRequest } from './return-request.ts'
import { readAnyReturn } from './return-store.ts'

/** Whether the carrier can be asked about the goods: they have a label of the shop. */
export function canAsk({ trackingNumber }: Pick<ReturnRequest, 'trackingNumber'>): boolean {
  return trackingNumber !== null && carrierOfShop() !== null
}

/** Asks the carrier about the parcel of a return, as its messages may have been lost. */
export async function askCarrier({ db, signal }: CallContext, { requestId }: ReturnJob): Promise<CarrierNews | null> {
  const trackingNumber = (await readAnyReturn(db, requestId))?.trackingNumber
  return trackingNumber ? ((await carrierOfShop()?.track(trackingNumber, { signal })) ?? null) : null
}

/** Attempts of about twelve hours, and fewer than make a job a dead letter. */
const patience = 150

/** The same for what must not wait for the carrier: if it cannot be asked for about half a day, it has no news. */
export async function askCarrierForAWhile(context: CallContext, job: ReturnJob): Promise<CarrierNews | null> {
  try {
    return await askCarrier(context, job)
  } catch (error) {
    if (context.attempt < patience && !(error instanceof PermanentError)) throw error
    context.log.warn({ returnId: job.requestId }, 'the carrier cannot be asked about a return, which goes on without its answer')
    return null
  }
}

export async function followAnswer(scope: JobScope, news: CarrierNews | null): Promise<void> {
  if (news) await followParcel(scope, news.trackingNumber, news.events)
}

export function askLater({ db }: Pick<JobScope, 'db'>, requestId: string): Promise<void> {
  return enqueue(db, { name: 'returns.ask-carrier', key: requestId, payload: { requestId } satisfies ReturnJob })
}
