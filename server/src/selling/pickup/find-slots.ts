import { markets, type Market } from '@purlin/contract/markets.ts'
import { boundedCache, log, requireQuota, settings, type SiteScope } from '#platform'
import { addDays } from '#pricing'
import { carrierSlots, type SlotDirectory } from './slot-directory.ts'
import { slotId, type OfferedSlot, type Slot } from './slot.ts'

/** Days of the calendar that are offered. */
const daysAhead = 14
/** A silent calendar is left alone for a moment: each request to it costs a visitor its patience. */
const silentMs = 15_000

let directory: SlotDirectory | null | undefined
const silentSince = boundedCache<number>(10)

function directoryOfShop(): SlotDirectory | null {
  if (directory === undefined) {
    const { carrier } = settings()
    directory = carrier.kind === 'none' ? null : carrierSlots(carrier)
  }
  return directory
}

/** Replaces the calendar of this process; without an argument restores the configured one. For tests. */
export function useSlotDirectory(other?: SlotDirectory | null): void {
  directory = other
  silentSince.clear()
}

interface Wanted {
  market: Market
  postcode: string
  /** First day, "2026-12-01". */
  from: string
}

/** Slots from a day on; null when the carrier has no calendar or does not answer. */
export async function findSlots(
  { now, remoteAddress }: Pick<SiteScope, 'now' | 'remoteAddress'>,
  { market, postcode, from }: Wanted,
): Promise<OfferedSlot[] | null> {
  const calendar = directoryOfShop()
  const silent = silentSince.get('carrier')
  if (!calendar || (silent !== undefined && Math.abs(now.getTime() - silent) < silentMs)) return null
  await requireQuota('pick-up-points', { address: remoteAddress })
  try {
    return await calendar.between({ country: markets[market].country, postcode, from, to: addDays(from, daysAhead) })
  } catch (error) {
    // A sale does not depend on the calendar: the time is agreed later.
    log.warn({ error }, 'the calendar of deliveries does not answer')
    silentSince.set('carrier', now.getTime())
    return null
  }
}

/** The slot with this id if it can still be had: null if it is gone or full, undefined if the carrier does not answer. */
export async function findSlot(
  scope: Pick<SiteScope, 'now' | 'remoteAddress'>,
  wanted: Wanted & { id: string },
): Promise<Slot | null | undefined> {
  const slots = await findSlots(scope, wanted)
  if (slots === null) return undefined
  const slot = slots.find((each) => !each.isFull && slotId(each) === wanted.id)
  return slot ? { day: slot.day, from: slot.from, to: slot.to } : null
}
