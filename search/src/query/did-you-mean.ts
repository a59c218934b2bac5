import { analyzerFor } from '../analysis/analyzer.ts'
import type { SearchDocument } from '../types.ts'
import { expand } from './term-expansion.ts'
import type { Request } from './search-request.ts'
import type { Snapshot } from './snapshot.ts'
import type { Group } from './query-parser.ts'

/**
 * The query with its misspelled words corrected; null when there are none. Under restrictions only words of the hits are
 * suggested, since the vocabulary is that of all documents.
 */
export function correctedQuery(
  snapshot: Snapshot,
  { query, params }: Request,
  groups: readonly Group[],
  hits: { first(count: number): SearchDocument[] },
): string | null {
  let out = ''
  let at = 0
  let isChanged = false
  for (const group of groups) {
    const better = correctionOf(snapshot, group)
    if (better === null) continue
    const written = asWritten(snapshot, better, hits)
    if (written === null && params.restrictions?.length) continue
    out += query.slice(at, group.start) + (written ?? better)
    at = group.end
    isChanged = true
  }
  return isChanged ? out + query.slice(at) : null
}

function correctionOf(snapshot: Snapshot, group: Group): string | null {
  if (group.alternatives.length !== 1 || group.alternatives[0]!.leaves.length !== 1) return null
  const leaf = group.alternatives[0]!.leaves[0]!
  if (leaf.kind !== 'word' || leaf.typos === 0) return null
  let best: { surface: string; distance: number; frequency: number } | null = null
  for (const { segment } of snapshot.parts) {
    const { exactFrequency, correction } = expand(leaf, segment)
    if (exactFrequency > 0) return null
    if (!correction) continue
    if (!best || correction.distance < best.distance || (correction.distance === best.distance && correction.frequency > best.frequency))
      best = correction
  }
  return best?.surface ?? null
}

/** The word with its accents, as spelled in the first hits; null when none of them has it. */
function asWritten(snapshot: Snapshot, surface: string, hits: { first(count: number): SearchDocument[] }): string | null {
  const analyzer = analyzerFor(snapshot.config.schema.language)
  for (const hit of hits.first(5)) {
    for (const { name } of snapshot.config.schema.fields) {
      const value = hit[name]
      if (typeof value !== 'string') continue
      const token = analyzer.analyze(value).find((one) => one.surface === surface)
      if (token) return value.slice(token.start, token.end).toLowerCase()
    }
  }
  return null
}
