import type { Segment } from '../segment/segment-reader.ts'
import { ResponseTooLargeError, type Hit, type SearchDocument } from '../types.ts'
import type { Found } from './index-searcher.ts'
import { highlighter } from './highlight.ts'
import type { Candidate } from './top-hits-collector.ts'
import type { Request } from './search-request.ts'
import type { Snapshot } from './snapshot.ts'

/** The hits of one page, read on demand: as objects or as JSON. */
export interface HitsOfPage {
  objects(): Hit[]
  /** @throws ResponseTooLargeError once there are more than `maxLength` characters */
  written(maxLength: number): string
  /** Ids of the documents, in order. */
  ids(): string[]
  /** The first hits, without highlighting. */
  first(count: number): SearchDocument[]
}

export function hitsOf(snapshot: Snapshot, request: Request, found: Found, candidates: readonly Candidate[]): HitsOfPage {
  const { params, retrieve, unretrievable } = request
  const marks =
    request.highlight.length > 0
      ? highlighter(snapshot, found.groups, params.highlightPreTag ?? '<em>', params.highlightPostTag ?? '</em>')
      : null
  const marked = request.highlight.filter((name) => !unretrievable.has(name))
  const segmentOf = (candidate: Candidate) => found.parts[candidate.part]!.segment
  const documentOf = (candidate: Candidate) => segmentOf(candidate).document(candidate.document)
  const rankingOf = (candidate: Candidate) => ({
    filters: candidate.boost,
    score: candidate.score,
    proximity: candidate.closeness,
    userScore: candidate.document,
    promoted: candidate.score === 0 && candidate.boost === 0 && found.groups.length > 0,
  })

  function object(candidate: Candidate): Hit {
    const document = documentOf(candidate)
    const hit: Hit = project(document, retrieve, unretrievable)
    if (marks) hit._highlightResult = marks.highlight(document, marked)
    if (params.getRankingInfo) hit._rankingInfo = rankingOf(candidate)
    return hit
  }

  function written(maxLength: number): string {
    const form = JSON.stringify([retrieve, [...unretrievable]])
    let text = ''
    for (const candidate of candidates) {
      const segment = segmentOf(candidate)
      const beginning = writtenDocument(segment, candidate.document, form, retrieve, unretrievable)
      if (text !== '') text += ','
      if (beginning === null) text += JSON.stringify(object(candidate))
      else {
        text += beginning
        if (marks) text += `,"_highlightResult":${marks.written(documentOf(candidate), marked)}`
        if (params.getRankingInfo) text += `,"_rankingInfo":${JSON.stringify(rankingOf(candidate))}`
        text += '}'
      }
      if (text.length > maxLength) throw new ResponseTooLargeError()
    }
    return `[${text}]`
  }

  return {
    objects: () => candidates.map(object),
    written,
    ids: () => candidates.map((candidate) => segmentOf(candidate).ids.get(candidate.document)),
    first: (count) => candidates.slice(0, count).map((candidate) => project(documentOf(candidate), retrieve, unretrievable)),
  }
}

/** Characters of serialized documents to keep; above it the cache is emptied. */
const MOST_KEPT = 8_000_000
let kept = new WeakMap<Segment, Map<string, Map<number, string | null>>>()
let keptLetters = 0

/**
 * The retrieved part of a document as JSON without its closing brace, so that more can follow. Null for a document whose
 * own attributes collide with those of hits. `form` identifies the attributes retrieved.
 */
function writtenDocument(
  segment: Segment,
  at: number,
  form: string,
  retrieve: readonly string[] | null,
  unretrievable: ReadonlySet<string>,
): string | null {
  let forms = kept.get(segment)
  if (!forms) kept.set(segment, (forms = new Map()))
  let documents = forms.get(form)
  if (!documents) forms.set(form, (documents = new Map()))
  const known = documents.get(at)
  if (known !== undefined) return known
  const text = (retrieve || unretrievable.size > 0 ? null : storedDocument(segment.json(at))) ?? projected()
  documents.set(at, text)
  keptLetters += (text?.length ?? 0) + 50
  if (keptLetters > MOST_KEPT) {
    kept = new WeakMap()
    keptLetters = 0
  }
  return text

  function projected(): string | null {
    const sent = project(segment.document(at), retrieve, unretrievable)
    return '_highlightResult' in sent || '_rankingInfo' in sent ? null : JSON.stringify(sent).slice(0, -1)
  }
}

/** The stored JSON is what is sent, without decoding it, unless one of its names, at whatever depth, may be that of an attribute of hits. */
function storedDocument(json: string): string | null {
  return json.includes('"_highlightResult"') || json.includes('"_rankingInfo"') ? null : json.slice(0, -1)
}

/** The requested attributes; "a.b" gives the inner one, "-a" all except that. */
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
