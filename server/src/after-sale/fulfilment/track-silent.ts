import { enqueue, settings, type CallContext, type JobScope } from '#platform'
import { carrierOfShop } from './carrier-of-shop.ts'
import { connectedCarrier, type CarrierNews } from './carrier.ts'
import { recordNews } from './record-news.ts'
import { takeSilent } from './store.ts'

export interface TrackingJob {
  trackingNumber: string
}

const silentHours = 6
const givenUpDays = 60
const atOnce = 50
const hour = 3_600_000

/** Asks about parcels whose messages may have been lost: the net below the webhook. */
export async function trackSilent(scope: JobScope): Promise<void> {
  if (!carrierOfShop()) return
  const now = scope.now.getTime()
  // In a demo that runs fast, six hours of silence are a few seconds.
  const silentSince = new Date(now - (silentHours * hour) / Math.max(1, settings().demoSpeed))
  const since = new Date(now - givenUpDays * 24 * hour)
  for (const trackingNumber of await takeSilent(scope.db, connectedCarrier, { since, silentSince, now: scope.now, limit: atOnce }))
    await enqueue(scope.db, { name: 'fulfilment.track', key: trackingNumber, payload: { trackingNumber } })
}

export async function trackParcelAtCarrier({ signal }: CallContext, { trackingNumber }: TrackingJob): Promise<CarrierNews | null> {
  return (await carrierOfShop()?.track(trackingNumber, { signal })) ?? null
}

/** The events count once, whoever reported them first. */
export async function recordTracking(scope: JobScope, _job: TrackingJob, news: CarrierNews | null): Promise<void> {
  if (news) await recordNews(scope, news)
}
