import type { NearbyPoints, OfferedPoint } from './point.ts'

/** A carrier's directory of pick-up points. Requested by pages, for which somebody waits: it fails rather than take long. */
export interface PointFinder {
  near(place: { country: string; postcode: string }): Promise<NearbyPoints>
  /** Null when the carrier no longer has the point. */
  find(id: string): Promise<OfferedPoint | null>
}
