import { boundedCache, settings } from '#platform'
import { locationFinder } from './location-finder.ts'
import type { PointFinder } from './point-finder.ts'
import type { NearbyPoints } from './point.ts'

/** Recent answers of the directory, by country and postcode. */
export const recentAnswers = boundedCache<{ found: NearbyPoints | null; at: number }>(2_000)

let finder: PointFinder | null | undefined

/** The directory of the shop's carrier; null for a shop without one, which offers no pick-up points. */
export function finderOfShop(): PointFinder | null {
  if (finder === undefined) {
    const { carrier } = settings()
    finder = carrier.kind === 'none' ? null : locationFinder(carrier)
  }
  return finder
}

/** Replaces the directory of this process; without an argument restores the configured one. For tests. */
export function usePointFinder(other?: PointFinder | null): void {
  finder = other
  recentAnswers.clear()
}
