import type { Segment } from '../segment/segment-reader.ts'
import { expand } from './term-expansion.ts'
import type { Group } from './query-parser.ts'

/**
 * How close together, and how literally, the query's words occur at the beginning of a document. More is better.
 * Computed only for documents that are equal otherwise.
 */
export function closenessOf(segment: Segment, groups: readonly Group[]): ((document: number) => number) | null {
  if (groups.length < 2) return null
  /** Number of the query's word + 1, by stem. */
  const groupOfStem = new Uint8Array(segment.stems.count)
  const exactSurfaces: number[] = []
  groups.forEach((group, index) => {
    for (const { leaves } of group.alternatives) {
      for (const leaf of leaves) {
        if (leaf.kind !== 'word') continue
        for (const variant of expand(leaf, segment).variants) if (groupOfStem[variant.stem] === 0) groupOfStem[variant.stem] = index + 1
        const exact = segment.surfaces.find(leaf.surface)
        if (exact >= 0) exactSurfaces.push(exact)
      }
    }
  })
  const { forward, forwardStarts, surfaceStem } = segment

  return (document) => {
    let nearness = 0
    let exactness = 0
    let lastGroup = 0
    let lastPlace = 0
    // Groups beyond 32 share bits: they only break ties.
    let seen = 0
    const to = forwardStarts[document + 1]!
    for (let at = forwardStarts[document]!; at < to; at++) {
      const surface = forward[at]!
      const group = groupOfStem[surfaceStem[surface]!]!
      if (group === 0) continue
      const bit = 1 << (group & 31)
      if ((seen & bit) === 0 && exactSurfaces.includes(surface)) exactness++
      seen |= bit
      if (lastGroup > 0 && group !== lastGroup) nearness += (group === lastGroup + 1 ? 2 : 1) / (at - lastPlace)
      lastGroup = group
      lastPlace = at
    }
    return Math.fround(nearness + exactness / 16)
  }
}
