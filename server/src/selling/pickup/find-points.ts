import { postcodeOf } from '@purlin/contract/addresses.ts'
import { markets } from '@purlin/contract/markets.ts'
import { log, requireQuota, type SiteScope } from '#platform'
import { finderOfShop, recentAnswers } from './finder-of-shop.ts'
import { isPointId, type NearbyPoints, type OfferedPoint } from './point.ts'

export type PointsFound =
  | ({ ok: true; near: string } & NearbyPoints)
  /** The postcode is not one of this market's, or the carrier does not answer. */
  | { ok: false; reason: 'postcode-invalid' | 'unavailable' }

/** Directories change seldom; whether a point is full is checked again when the order is placed. */
const freshMs = 60_000
/** A silent directory is left alone for a moment: each request to it costs a visitor its patience. */
const silentMs = 15_000

/** Points near a postcode of the site's market, nearest first. */
export async function findPoints({ market, now, remoteAddress }: SiteScope, postcode: string): Promise<PointsFound> {
  const { country } = markets[market]
  const near = postcode.length > 12 ? null : postcodeOf(country, postcode)
  if (near === null) return { ok: false, reason: 'postcode-invalid' }
  const key = `${country} ${near}`
  const known = recentAnswers.get(key)
  if (known && Math.abs(now.getTime() - known.at) < (known.found ? freshMs : silentMs))
    return known.found ? { ok: true, near, ...known.found } : { ok: false, reason: 'unavailable' }
  const finder = finderOfShop()
  if (!finder) return { ok: false, reason: 'unavailable' }
  await requireQuota('pick-up-points', { address: remoteAddress })
  try {
    const found = await finder.near({ country, postcode: near })
    recentAnswers.set(key, { found, at: now.getTime() })
    return { ok: true, near, ...found }
  } catch (error) {
    // Delivery to the door needs no directory: the page offers it all the same.
    log.warn({ error }, 'the directory of pick-up points does not answer')
    recentAnswers.set(key, { found: null, at: now.getTime() })
    return { ok: false, reason: 'unavailable' }
  }
}

/** A point as it is now; null if the carrier has none with this id, undefined if it does not answer. */
export async function findPoint(id: string): Promise<OfferedPoint | null | undefined> {
  const finder = finderOfShop()
  if (!isPointId(id) || !finder) return null
  try {
    return await finder.find(id)
  } catch (error) {
    log.warn({ error }, 'the directory of pick-up points does not answer')
    return undefined
  }
}
