import { SearchRequestError, type FacetHit, type Hit, type SearchDocument, type SearchParams, type SearchResponse } from '../types.ts'
import { hasBit } from './bits.ts'
import { closenessOf } from './closeness.ts'
import { correctedQuery } from './correct.ts'
import { keepBestOfGroups } from './distinct.ts'
import { countFacets, searchFacet, statsOf, topValues } from './facets.ts'
import type { Filter } from './filters.ts'
import { countGroups } from './group-facets.ts'
import { allowedIn, find, isFindable, type Found } from './find.ts'
import { highlighter } from './highlight.ts'
import { bestPlaces, boostsOf, candidateOrder, closenessAt, type Candidate, type Ranking } from './order.ts'
import { readRequest, type Request } from './params.ts'
import { applyRules, type Ruled } from './rules.ts'
import { locate, type Snapshot } from './snapshot.ts'
import { understand } from './understand.ts'

/** With more hits than this, nearness of words is not looked at: popularity decides between equals. */
const MOST_TOLD_APART = 20_000

/** Answers one query over one moment of an index. `sort` names one of the settings' orders. */
export function searchSnapshot(snapshot: Snapshot, params: SearchParams, sort: string | null, indexName: string): SearchResponse {
  const started = performance.now()
  const { config, parts } = snapshot
  const ruled = applyRules(config.rules, params)
  const request = readRequest(ruled.params, config.settings, config.shape)
  const filter = without(request.filter, ruled.hide)
  const { found, dropped } = findWithFallbacks(snapshot, request, filter)
  const page = pageOf(snapshot, request, ruled, filter, found, sort)
  const documents = found.matched.map((one) => one.documents)

  const response: SearchResponse = {
    hits: hitsOf(snapshot, request, found, page.candidates),
    nbHits: page.total,
    page: request.page,
    nbPages:
      request.hitsPerPage === 0 ? 0 : Math.ceil(Math.min(page.total, config.settings.paginationLimitedTo ?? 1000) / request.hitsPerPage),
    hitsPerPage: request.hitsPerPage,
    exhaustiveNbHits: true,
    exhaustiveFacetsCount: true,
    processingTimeMS: 0,
    query: request.query,
    params: paramsText(params),
    index: indexName,
  }
  if (request.facets.length > 0) {
    response.facets = {}
    const groups = request.distinct > 0 && params.facetingAfterDistinct === true ? config.shape.distinct : null
    const counted = groups === null ? countFacets(request.facets, parts, documents) : countGroups(request.facets, parts, documents, groups)
    for (const [at, facet] of request.facets.entries()) {
      const counts = counted[at]!
      if (counts.length > 0)
        response.facets[facet] = topValues(
          counts,
          request.maxValuesPerFacet,
          request.params.sortFacetValuesBy === 'alpha' ? 'alpha' : 'count',
        )
      const stats = statsOf(facet, parts, documents, counts)
      if (stats) (response.facets_stats ??= {})[facet] = stats
    }
  }
  if (ruled.userData.length > 0) response.userData = ruled.userData
  if (ruled.applied.length > 0) response.appliedRules = ruled.applied.map((objectID) => ({ objectID }))
  if (dropped.length > 0) response.droppedWords = dropped
  const meant = correctedQuery(snapshot, request.query, found.groups, response.hits)
  if (meant) response.didYouMean = meant
  response.processingTimeMS = Math.max(1, Math.round(performance.now() - started))
  return response
}

/** Values of one facet among what the query matches. */
export function facetValuesOf(snapshot: Snapshot, facet: string, facetQuery: string, params: SearchParams): FacetHit[] {
  const { config, parts } = snapshot
  const column = config.shape.columns.find((one) => one.name === facet)
  if (!column?.countable || !column.searchable)
    throw new SearchRequestError(
      `Cannot search in \`${facet}\` attribute, you need to add \`searchable(${facet})\` to attributesForFaceting.`,
    )
  const ruled = applyRules(config.rules, params)
  const request = readRequest(ruled.params, config.settings, config.shape)
  const { found } = findWithFallbacks(snapshot, request, without(request.filter, ruled.hide))
  const [counts] = countFacets(
    [facet],
    parts,
    found.matched.map((one) => one.documents),
  )
  const limit = typeof params.maxFacetHits === 'number' ? Math.min(100, Math.max(1, params.maxFacetHits)) : 10
  return searchFacet(counts!, facetQuery, limit, params.highlightPreTag ?? '<em>', params.highlightPostTag ?? '</em>')
}

function without(filter: Filter | null, hidden: readonly string[]): Filter | null {
  if (hidden.length === 0) return filter
  const not: Filter = {
    kind: 'not',
    of: { kind: 'or', of: hidden.map((value) => ({ kind: 'value', attribute: 'objectID', value, score: 1 })) },
  }
  return filter ? { kind: 'and', of: [filter, not] } : not
}

/**
 * All words first; when nothing has them all, words that exist may be misspelled too; then, if the
 * query allows, words are left out: those nothing matches first, then from the end asked for.
 */
function findWithFallbacks(snapshot: Snapshot, request: Request, filter: Filter | null): { found: Found; dropped: string[] } {
  const { params, query } = request
  if (query.trim() === '') return { found: find(snapshot, [], filter, false), dropped: [] }
  const first = understand(snapshot, params, false).groups
  if (first.length === 0) return { found: find(snapshot, [], filter, false), dropped: [] }
  let found = find(snapshot, first, filter, false)
  if (found.total > 0) return { found, dropped: [] }
  let groups = first
  if (params.typoTolerance !== false) {
    groups = understand(snapshot, params, true).groups
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
    const loose = understand(snapshot, params, false, true).groups.filter((group) => isFindable(snapshot, group))
    return { found: find(snapshot, loose, filter, true), dropped }
  }
  while (found.total === 0 && left.length > 1) {
    const gone = how === 'lastWords' ? left.at(-1)! : left[0]!
    left = left.filter((group) => group !== gone)
    dropped.push(gone.text)
    found = find(snapshot, left, filter, false)
  }
  return { found, dropped: found.total > 0 ? dropped : [] }
}

function pageOf(
  snapshot: Snapshot,
  request: Request,
  ruled: Ruled,
  filter: Filter | null,
  found: Found,
  sort: string | null,
): { candidates: Candidate[]; total: number } {
  const { config } = snapshot
  const { parts, matched, groups } = found
  const order = sort === null ? null : config.shape.sorts.find((one) => one.name === sort)!
  const rankings = parts.map(({ segment }, index): Ranking => {
    const of = matched[index]!
    return {
      matched: of,
      boosts: order ? null : boostsOf(request.optional, request.params.sumOrFiltersScores === true, segment, of.documents),
      ranks: order ? segment.sorts.get(order.name)! : null,
      closeness: order || found.total > MOST_TOLD_APART ? null : closenessOf(segment, groups),
      known: null,
    }
  })
  const compare = candidateOrder(parts, order ? [...order.keys, ...config.shape.ranking] : config.shape.ranking, order !== null)
  const candidateAt = (part: number, place: number): Candidate => {
    const ranking = rankings[part]!
    const { matched: of, boosts } = ranking
    const document = of.documents[place]!
    return { part, document, boost: boosts?.[place] ?? 0, score: of.scores?.[place] ?? 0, closeness: closenessAt(ranking, place) }
  }

  let places: (Uint32Array | null)[] = parts.map(() => null)
  let total = found.total
  const distinct = config.shape.distinct
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
  const best = rankings.flatMap((ranking, part) =>
    Array.from(bestPlaces(ranking, end + promoted.length, places[part]!), (place) => candidateAt(part, place)),
  )
  if (parts.length > 1) best.sort(compare)
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

function hitsOf(snapshot: Snapshot, request: Request, found: Found, candidates: readonly Candidate[]): Hit[] {
  const { params } = request
  const marks =
    request.highlight.length > 0
      ? highlighter(snapshot, found.groups, params.highlightPreTag ?? '<em>', params.highlightPostTag ?? '</em>')
      : null
  return candidates.map((candidate) => {
    const document = found.parts[candidate.part]!.segment.document(candidate.document)
    const hit: Hit = project(document, request.retrieve, request.unretrievable)
    if (marks)
      hit._highlightResult = marks.highlight(
        document,
        request.highlight.filter((name) => !request.unretrievable.has(name)),
      )
    if (params.getRankingInfo)
      hit._rankingInfo = {
        filters: candidate.boost,
        score: candidate.score,
        proximity: candidate.closeness,
        userScore: candidate.document,
        promoted: candidate.score === 0 && candidate.boost === 0 && found.groups.length > 0,
      }
    return hit
  })
}

/** The attributes asked for; "a.b" gives the inner one, "-a" all but that. */
export function project(document: SearchDocument, retrieve: readonly string[] | null, unretrievable: ReadonlySet<string>): SearchDocument {
  if (!retrieve && unretrievable.size === 0) return { ...document }
  const out: SearchDocument = { objectID: document.objectID }
  const excluded = retrieve?.filter((name) => name.startsWith('-')).map((name) => name.slice(1)) ?? []
  if (!retrieve || excluded.length === retrieve.length) {
    for (const name of Object.keys(document)) if (!unretrievable.has(name) && !excluded.includes(name)) out[name] = document[name]
    return out
  }
  for (const path of retrieve) {
    if (unretrievable.has(path)) continue
    if (document[path] !== undefined) out[path] = document[path]
    else if (path.includes('.')) copyPath(document, out, path.split('.'))
  }
  return out
}

function copyPath(from: Record<string, unknown>, to: Record<string, unknown>, steps: readonly string[]): void {
  const [step, ...rest] = steps
  const value = from[step!]
  if (value === undefined) return
  if (rest.length === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) to[step!] = value
  else {
    const inner = typeof to[step!] === 'object' && to[step!] !== null ? { ...(to[step!] as Record<string, unknown>) } : {}
    copyPath(value as Record<string, unknown>, inner, rest)
    to[step!] = inner
  }
}

function paramsText(params: SearchParams): string {
  return Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('&')
}

/** Documents one after another, by part and place; the cursor says where to go on. */
export function browseSnapshot(
  snapshot: Snapshot,
  params: { cursor?: string; hitsPerPage?: number; filters?: string },
): { hits: SearchDocument[]; cursor?: string } {
  const request = readRequest(
    { filters: params.filters, hitsPerPage: params.hitsPerPage ?? 1000 },
    snapshot.config.settings,
    snapshot.config.shape,
  )
  const after = params.cursor === undefined ? '' : Buffer.from(params.cursor, 'base64url').toString('utf8')
  const wanted: { id: string; part: number; at: number }[] = []
  snapshot.parts.forEach((part, index) => {
    const allowed = allowedIn(part, request.filter)
    for (let at = 0; at < part.segment.count; at++) {
      if (allowed && !hasBit(allowed, at)) continue
      const id = part.segment.ids.get(at)
      if (id > after) wanted.push({ id, part: index, at })
    }
  })
  wanted.sort((x, y) => (x.id < y.id ? -1 : 1))
  const page = wanted.slice(0, request.hitsPerPage)
  const hits = page.map(({ part, at }) => ({ ...snapshot.parts[part]!.segment.document(at) }))
  return wanted.length > page.length ? { hits, cursor: Buffer.from(page.at(-1)!.id).toString('base64url') } : { hits }
}
