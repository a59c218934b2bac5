import { hasBit } from './bitsets.ts'
import { closenessOf } from './proximity.ts'
import { keepBestOfGroups } from './distinct.ts'
import type { Filter } from './filter-parser.ts'
import { allowedIn, type Found } from './index-searcher.ts'
import { bestPlaces, boostsOf, candidateOrder, closenessAt, firstOf, type Candidate, type Ranking } from './top-hits-collector.ts'
import type { Request } from './search-request.ts'
import type { Ruled } from './rules.ts'
import { locate, type Snapshot } from './snapshot.ts'

/** With more hits than this, nearness of words is not looked at: popularity decides between equals. */
const MOST_TOLD_APART = 20_000

/** The hits of the page asked for, in their order, and how many there are in all. */
export function pageOf(
  snapshot: Snapshot,
  request: Request,
  ruled: Ruled,
  filter: Filter | null,
  found: Found,
  sort: string | null,
): { candidates: Candidate[]; total: number } {
  const { config } = snapshot
  const { parts, matched, groups } = found
  const order = sort === null ? null : config.schema.sorts.find((one) => one.name === sort)!
  const rankings = parts.map(({ segment }, index): Ranking => {
    const of = matched[index]!
    return {
      matched: of,
      boosts: order ? null : boostsOf(request.optional, request.params.sumOrFiltersScores === true, segment, of.documents),
      ranks: order ? segment.sorts.get(order.name)! : null,
      ties: segment.ranks,
      closeness: order || of.documents.length === 0 || found.total > MOST_TOLD_APART ? null : closenessOf(segment, groups),
      known: null,
    }
  })
  const compare = candidateOrder(parts, order ? [...order.keys, ...config.schema.ranking] : config.schema.ranking, order !== null)
  const candidateAt = (part: number, place: number): Candidate => {
    const ranking = rankings[part]!
    const { matched: of, boosts } = ranking
    const document = of.documents[place]!
    return { part, document, boost: boosts?.[place] ?? 0, score: of.scores?.[place] ?? 0, closeness: closenessAt(ranking, place) }
  }

  let places: (Uint32Array | null)[] = parts.map(() => null)
  let total = found.total
  const distinct = config.schema.distinct
  if (request.distinct > 0 && distinct !== null) {
    const kept = keepBestOfGroups(distinct, request.distinct, parts, rankings, (x, y) =>
      compare(candidateAt(x.part, x.place), candidateAt(y.part, y.place)),
    )
    places = kept.kept
    total = request.distinct === 1 ? kept.groups : kept.kept.reduce((sum, list) => sum + list.length, 0)
  }

  const limit = config.settings.paginationLimitedTo ?? 1000
  const end = Math.min(request.offset + request.length, limit)
  const promoted = order ? [] : promotedOf(snapshot, ruled, filter)
  const isPromoted = (candidate: Candidate) =>
    promoted.some((one) => one.candidate.part === candidate.part && one.candidate.document === candidate.document)
  if (request.offset >= end) return { candidates: [], total }
  const size = end + promoted.length
  const lists = rankings.map((ranking, part) => Array.from(bestPlaces(ranking, size, places[part]!), (place) => candidateAt(part, place)))
  const best = firstOf(lists, size, compare)
  if (promoted.length === 0) return { candidates: best.slice(request.offset, end), total }
  const inside = promoted.filter((one) => isAmong(found, one.candidate)).length
  const ranked = best.filter((candidate) => !isPromoted(candidate))
  for (const { candidate, position } of promoted) ranked.splice(Math.min(position, ranked.length), 0, candidate)
  return { candidates: ranked.slice(request.offset, end), total: total + promoted.length - inside }
}

function isAmong(found: Found, candidate: Candidate): boolean {
  return found.matched[candidate.part]!.documents.includes(candidate.document)
}

/** Promoted documents that pass the filter, by position. */
function promotedOf(snapshot: Snapshot, ruled: Ruled, filter: Filter | null): { candidate: Candidate; position: number }[] {
  const seen = new Set<string>()
  return ruled.promote
    .flatMap(({ objectID, position }) => {
      if (seen.has(objectID)) return []
      seen.add(objectID)
      const place = locate(snapshot, objectID)
      if (!place) return []
      const allowed = allowedIn(place.part, filter)
      if (allowed && !hasBit(allowed, place.at)) return []
      return [{ candidate: { part: place.index, document: place.at, boost: 0, score: 0, closeness: 0 }, position }]
    })
    .sort((x, y) => x.position - y.position)
}
