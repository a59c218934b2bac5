import type { Market } from '@purlin/contract/markets.ts'
import { settings, type Db } from '#platform'
import { connectedCarrier } from './carrier.ts'
import { parcelToken, parcelTokenHash } from './parcel-token.ts'
import { writeEvent, writeParcel } from './store.ts'

export interface PastParcel {
  id: string
  sellerOrderId: string
  customerOrderId: string
  sellerId: number
  market: Market
  city: string
  shippedAt: Date
  /** Null for one that is still on its way. */
  deliveredAt: Date | null
}

const hour = 3_600_000

/** A parcel that was sent before the shop was opened, with the tracking it had: for the orders of the demo's past. */
export async function keepPastParcel(db: Db, { city, shippedAt, deliveredAt, ...parcel }: PastParcel): Promise<void> {
  const tokenHash = parcelTokenHash(parcelToken(settings().mail.linkSecret, parcel.id))
  if (!tokenHash) throw new Error('A parcel has no token')
  const trackingNumber = `PP${String(Number.parseInt(parcel.id.slice(-10), 16))
    .padStart(13, '0')
    .slice(-12)}${parcel.market.toUpperCase()}`
  const expectedBy = new Date(shippedAt.getTime() + 72 * hour)
  const isNew = await writeParcel(db, { ...parcel, carrier: connectedCarrier, trackingNumber, tokenHash, expectedBy }, shippedAt)
  if (!isNew) return
  const at = (hours: number) => new Date(shippedAt.getTime() + hours * hour)
  const events = [
    { kind: 'registered' as const, at: at(-3), place: null },
    { kind: 'collected' as const, at: shippedAt, place: null },
    { kind: 'in-transit' as const, at: at(14), place: null },
    ...(deliveredAt
      ? [
          { kind: 'out-for-delivery' as const, at: new Date(deliveredAt.getTime() - 5 * hour), place: city },
          { kind: 'delivered' as const, at: deliveredAt, place: city },
        ]
      : []),
  ]
  const now = new Date()
  for (const event of events.filter(({ at: when }) => when <= now))
    await writeEvent(db, parcel.id, { ...event, sourceId: `past-${event.kind}` })
}
