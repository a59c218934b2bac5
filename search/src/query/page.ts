import { hasBit } from './bitsets.ts'
import { closenessOf } from './proximity.ts'
import { keepBestOfGroups } from './distinct.ts'
import { groupOf } from './group-of.ts'
import { headMatches } from './head-noun.ts'
import type { Filter } from './filter-parser.ts'
import { allowedIn, type Found } from './index-searcher.ts'
import { bestPlaces, boostsOf, candidateOrder, closenessAt, firstOf, type Candidate, type Ranking } from './top-hits-collector.ts'
import type { Request } from './search-request.ts'
import type { Ruled } from './rules.ts'
import { locate, type Part, type Snapshot } from './snapshot.ts'

/** With more hits than this, proximity is ignored and custom ranking decides between equal scores. */
const MOST_TOLD_APART = 20_000

/** The hits of the requested page, in order, and the total number of hits. */
export function pageOf(
  snapshot: Snapshot,
  request: Request,
  ruled: Ruled,
  filter: Filter | null,
  found: Found,
  sort: string | null,
): { candidates: Candidate[]; total: number } {
  const { config } = snapshot
  const { parts } = found
  const order = sort === null ? null : config.schema.sorts.find((one) => one.name === sort)!
  const rankings = rankingsOf(snapshot, request, found, order)
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
  const grouping = request.distinct > 0 && distinct !== null ? { attribute: distinct, most: request.distinct } : null
  const promoted = order ? [] : withinGroups(promotedOf(snapshot, ruled, filter), parts, grouping)
  total += addedBy(promoted, found, grouping)
  if (request.offset >= end) return { candidates: [], total }
  // A promoted hit can displace every other hit of its group.
  const size = end + promoted.length * (1 + (grouping?.most ?? 0))
  const lists = rankings.map((ranking, part) => Array.from(bestPlaces(ranking, size, places[part]!), (place) => candidateAt(part, place)))
  const best = firstOf(lists, size, compare)
  if (promoted.length === 0) return { candidates: best.slice(request.offset, end), total }
  const isPromoted = (candidate: Candidate) => promoted.some((one) => isSame(one.candidate, candidate))
  const ranked = besidePromoted(
    best.filter((candidate) => !isPromoted(candidate)),
    promoted,
    parts,
    grouping,
  )
  for (const { candidate, position } of promoted) ranked.splice(Math.min(position, ranked.length), 0, candidate)
  return { candidates: ranked.slice(request.offset, end), total }
}

type SortOrder = Snapshot['config']['schema']['sorts'][number]

/** The criteria by which the matches of each segment are ranked. With a sort order, relevance does not count. */
function rankingsOf(snapshot: Snapshot, request: Request, { parts, matched, groups, total }: Found, order: SortOrder | null): Ranking[] {
  return parts.map(({ segment }, index): Ranking => {
    const of = matched[index]!
    return {
      matched: of,
      boosts: order
        ? null
        : added(
            boostsOf(request.optional, request.params.sumOrFiltersScores === true, segment, of.documents),
            headMatches(snapshot, request, groups, segment, of.documents),
          ),
      ranks: order ? segment.sorts.get(order.name)! : null,
      ties: segment.ranks,
      closeness: order || of.documents.length === 0 || total > MOST_TOLD_APART ? null : closenessOf(segment, groups),
      known: null,
    }
  })
}

/** Points of optional filters count for more than a head noun. */
function added(points: Float64Array | null, heads: Float64Array | null): Float64Array | null {
  if (points === null || heads === null) return points ?? heads
  return points.map((point, at) => point * 2 + heads[at]!)
}

interface Promoted {
  candidate: Candidate
  position: number
}

/** With `distinct`: the number of hits allowed per value of an attribute. */
type Grouping = { attribute: string; most: number } | null

const isSame = (x: Candidate, y: Candidate): boolean => x.part === y.part && x.document === y.document

const groupOfCandidate = (candidate: Candidate, parts: readonly Part[], { attribute }: NonNullable<Grouping>): string | null =>
  groupOf(parts[candidate.part]!, candidate.document, attribute)

/** Applies `distinct` to the promoted hits themselves: the first of a group stays. */
function withinGroups(promoted: readonly Promoted[], parts: readonly Part[], grouping: Grouping): Promoted[] {
  if (!grouping) return [...promoted]
  const counts = new Map<string, number>()
  return promoted.filter(({ candidate }) => {
    const group = groupOfCandidate(candidate, parts, grouping)
    if (group === null) return true
    const count = (counts.get(group) ?? 0) + 1
    counts.set(group, count)
    return count <= grouping.most
  })
}

/** The other hits, without groups filled by promoted hits. */
function besidePromoted(
  others: readonly Candidate[],
  promoted: readonly Promoted[],
  parts: readonly Part[],
  grouping: Grouping,
): Candidate[] {
  if (!grouping) return [...others]
  const room = new Map<string, number>()
  for (const { candidate } of promoted) {
    const group = groupOfCandidate(candidate, parts, grouping)
    if (group !== null) room.set(group, (room.get(group) ?? grouping.most) - 1)
  }
  return others.filter((candidate) => {
    const group = groupOfCandidate(candidate, parts, grouping)
    const left = group === null ? undefined : room.get(group)
    if (group === null || left === undefined) return true
    room.set(group, left - 1)
    return left > 0
  })
}

/** Number of hits that promotion adds to the total. */
function addedBy(promoted: readonly Promoted[], found: Found, grouping: Grouping): number {
  const { parts, matched } = found
  const extra = promoted.filter(({ candidate }) => !matched[candidate.part]!.documents.includes(candidate.document))
  if (!grouping) return extra.length
  const byGroup = Map.groupBy(extra, ({ candidate }) => groupOfCandidate(candidate, parts, grouping))
  let added = 0
  for (const [group, members] of byGroup) {
    if (group === null) added += members.length
    else {
      const known = countOfGroup(found, group, grouping.attribute)
      added += Math.min(grouping.most, known + members.length) - Math.min(grouping.most, known)
    }
  }
  return added
}

function countOfGroup({ parts, matched }: Found, group: string, attribute: string): number {
  return parts.reduce(
    (sum, part, at) => sum + matched[at]!.documents.reduce((n, document) => n + Number(groupOf(part, document, attribute) === group), 0),
    0,
  )
}

/** Promoted documents that pass the filter, by position. */
function promotedOf(snapshot: Snapshot, ruled: Ruled, filter: Filter | null): Promoted[] {
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
