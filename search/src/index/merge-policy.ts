import type { Part } from '../query/snapshot.ts'

/** Segments of one size class that are merged together. */
const SEGMENTS_PER_TIER = 8
/** In memory, segments above this class are left for a flush. */
const LARGEST_MEMORY_TIER = 4

const tierOf = (size: number): number => Math.floor(Math.log(Math.max(1, size)) / Math.log(SEGMENTS_PER_TIER))

/** In-memory segments to merge, so that a search visits few of them; null when there are few enough. */
export function selectInMemoryMerge(memory: readonly Part[]): Part[] | null {
  for (let tier = 0; tier <= LARGEST_MEMORY_TIER; tier++) {
    const same = memory.filter((part) => tierOf(part.segment.count) <= tier)
    if (same.length >= SEGMENTS_PER_TIER) return same
  }
  return null
}

/** On-disk segments to merge: those with mostly deleted documents, else eight of one size class; null when there are none. */
export function selectDiskMerge(disk: readonly Part[], flushDocuments: number): Part[] | null {
  const wasteful = disk.filter((part) => part.live < part.segment.count / 2)
  if (wasteful.length > 0) return wasteful
  const tiers = Map.groupBy(disk, (part) => tierOf(part.live / flushDocuments))
  return [...tiers.values()].find((parts) => parts.length >= SEGMENTS_PER_TIER) ?? null
}
