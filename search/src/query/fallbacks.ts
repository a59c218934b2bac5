import type { Filter } from './filter-parser.ts'
import { find, isFindable, type Found } from './index-searcher.ts'
import { headOf, isMeasure, splitAtPurpose } from './head-noun.ts'
import { parseQuery, type Group } from './query-parser.ts'
import type { Request } from './search-request.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * Tries all words first. When nothing matches, known words may be misspelled too; then, if the query allows it, words
 * are dropped: unknown ones first, then from the requested end.
 */
export function findWithFallbacks(snapshot: Snapshot, request: Request, filter: Filter | null): { found: Found; dropped: string[] } {
  const { params, query } = request
  if (query.trim() === '') return { found: find(snapshot, [], filter, false), dropped: [] }
  const first = forTheThing(snapshot, request, parseQuery(snapshot, params, false).groups)
  if (first.length === 0) return { found: find(snapshot, [], filter, false), dropped: [] }
  let found = find(snapshot, first, filter, false)
  if (found.total > 0) return { found, dropped: [] }
  let groups = first
  if (params.typoTolerance !== false) {
    groups = forTheThing(snapshot, request, parseQuery(snapshot, params, true).groups)
    found = find(snapshot, groups, filter, false)
    if (found.total > 0) return { found, dropped: [] }
  }
  const how = params.removeWordsIfNoResults ?? 'none'
  if (how === 'none' || groups.length === 0) return { found, dropped: [] }
  const dropped = groups.filter((group) => !isFindable(snapshot, group)).map((group) => group.text)
  let left = groups.filter((group) => isFindable(snapshot, group))
  if (left.length === 0) return { found, dropped: [] }
  if (dropped.length > 0) found = find(snapshot, left, filter, false)
  if (how === 'allOptional') {
    if (found.total > 0) return { found, dropped }
    const loose = parseQuery(snapshot, params, false, true).groups.filter((group) => isFindable(snapshot, group))
    return { found: find(snapshot, loose, filter, true), dropped }
  }
  if (how === 'exceptHead') {
    const fewest = found.total > 0 ? null : dropFewest(snapshot, request, left, filter)
    if (fewest) return { found: fewest.found, dropped: [...dropped, ...fewest.dropped] }
  }
  while (found.total === 0 && left.length > 1) {
    const gone = how === 'lastWords' ? left.at(-1)! : left[0]!
    left = left.filter((group) => group !== gone)
    dropped.push(gone.text)
    found = find(snapshot, left, filter, false)
  }
  return { found, dropped: found.total > 0 ? dropped : [] }
}

/** In an index that names its things, the words of a purpose add to the score: "battery for a drill" needs not say "drill". */
function forTheThing(snapshot: Snapshot, request: Request, groups: Group[]): Group[] {
  if (snapshot.config.settings.headAttribute === undefined) return groups
  const { purpose } = splitAtPurpose(snapshot, request, groups)
  return groups.map((group) => (purpose.includes(group) ? { ...group, isOptional: true } : group))
}

/** Searches tried with fewer words. */
const mostTries = 12
/** Words of which combinations are tried. */
const mostWords = 8

/**
 * The query with as few words dropped as possible, never the noun that names the thing; measures before other words, and
 * those far from the noun before those near it. Null when nothing was found that way.
 */
function dropFewest(
  snapshot: Snapshot,
  request: Request,
  groups: readonly Group[],
  filter: Filter | null,
): { found: Found; dropped: string[] } | null {
  const head = headOf(snapshot, request, groups) ?? groups[0]!
  const cost = (group: Group): number => {
    const far = Math.abs(groups.indexOf(group) - groups.indexOf(head)) / groups.length
    return (isMeasure(group) ? 1 : 2) - far / 2
  }
  const others = groups.filter((group) => group !== head).slice(0, mostWords)
  const sets = subsetsOf(others)
    .map((set) => ({ set, price: set.reduce((sum, group) => sum + cost(group), 0) }))
    .toSorted((a, b) => a.set.length - b.set.length || a.price - b.price)
  for (const { set } of sets.slice(0, mostTries)) {
    const kept = groups.filter((group) => !set.includes(group))
    const found = find(snapshot, kept, filter, false)
    if (found.total > 0) return { found, dropped: set.map(({ text }) => text) }
  }
  const found = find(snapshot, [head], filter, false)
  return found.total > 0 ? { found, dropped: groups.filter((group) => group !== head).map(({ text }) => text) } : null
}

function subsetsOf(groups: readonly Group[]): Group[][] {
  return groups.reduce<Group[][]>((sets, group) => [...sets, ...sets.map((set) => [...set, group])], [[]]).slice(1)
}
