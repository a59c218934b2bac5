/**
 * The interface of a search engine, in the request and response types of Algolia's REST API, so that another engine can
 * take the place of this one.
 */

export type Language = 'en' | 'fr' | 'de' | 'es' | 'it'

/** Any JSON object with a unique `objectID`. */
export interface SearchDocument {
  objectID: string
  [attribute: string]: unknown
}

export interface IndexSettings {
  /** Language of the text: analysis, stemming, compounds, synonyms follow from it. */
  language?: Language
  /** Attributes searched, most important first; a comma-separated group shares a rank. */
  searchableAttributes?: string[]
  /** BM25F weight per searchable attribute; by default falls with its rank. */
  attributeWeights?: Record<string, number>
  /** Attributes that may be filtered or counted: "brand", "searchable(brand)", "filterOnly(id)". */
  attributesForFaceting?: string[]
  /** Attributes matched whole and exactly (part numbers, EAN), whatever their spelling of blanks and dashes. */
  exactAttributes?: string[]
  /** "desc(popularity)", "asc(price)": tie-breakers after relevance. */
  customRanking?: string[]
  /** Named sort orders, addressed as `{index}_{name}`: { "price_asc": "asc(price)" }. */
  sorts?: Record<string, string>
  attributeForDistinct?: string
  /** A searchable attribute that names the thing: hits that have the noun of the query there come first. Not in Algolia's API. */
  headAttribute?: string
  unretrievableAttributes?: string[]
  /** Attributes returned by default. */
  attributesToRetrieve?: string[]
  stopWords?: string[]
  hitsPerPage?: number
  maxValuesPerFacet?: number
  paginationLimitedTo?: number
  /** Kept with the index for its users; means nothing to the engine. */
  userData?: unknown
}

/** Parameters of one query; unknown ones are refused with a descriptive 400. */
export interface SearchParams {
  query?: string
  /** From 0. */
  page?: number
  hitsPerPage?: number
  offset?: number
  length?: number
  /** "brand:Tarvok AND (price < 150 OR isMmf:true) AND NOT condition:used"; alternatives with scores rank: "brand:A<score=2> OR brand:B". */
  filters?: string
  /** Filter expressions applied in addition to `filters`. Each is parsed by itself, so no text in one can cancel another. */
  restrictions?: readonly string[]
  /** AND of ORs: [["brand:A","brand:B"],"colour:-red"]. */
  facetFilters?: string | (string | string[])[]
  numericFilters?: string | (string | string[])[]
  /** Boost matching hits, never exclude others: "modelId:42<score=200>". */
  optionalFilters?: string | (string | string[])[]
  sumOrFiltersScores?: boolean
  facets?: string | string[]
  maxValuesPerFacet?: number
  sortFacetValuesBy?: 'count' | 'alpha'
  attributesToRetrieve?: string | string[]
  attributesToHighlight?: string | string[]
  highlightPreTag?: string
  highlightPostTag?: string
  distinct?: boolean | number
  /** With distinct: facets count groups that have a matching document with the value. */
  facetingAfterDistinct?: boolean
  ruleContexts?: string | string[]
  /** The fields of the response; all of them by default. */
  responseFields?: string | string[]
  clickAnalytics?: boolean
  analytics?: boolean
  analyticsTags?: string | string[]
  userToken?: string
  typoTolerance?: boolean | 'min' | 'strict'
  queryType?: 'prefixLast' | 'prefixAll' | 'prefixNone'
  /** Optional words; the whole query makes all of them optional. */
  optionalWords?: string | string[]
  /** `exceptHead` is not in Algolia's API: it drops as few words as possible, and never the noun that names the thing. */
  removeWordsIfNoResults?: 'none' | 'lastWords' | 'firstWords' | 'allOptional' | 'exceptHead'
  getRankingInfo?: boolean
  /** Parts of the query that are only words: not the noun that names the thing, nor a purpose. Not in Algolia's API. */
  literalWords?: string[]
  [other: string]: unknown
}

export interface Hit extends SearchDocument {
  _highlightResult?: Record<string, unknown>
  _rankingInfo?: Record<string, unknown>
}

export interface SearchResponse {
  hits: Hit[]
  nbHits: number
  page: number
  nbPages: number
  hitsPerPage: number
  exhaustiveNbHits: boolean
  exhaustiveFacetsCount?: boolean
  facets?: Record<string, Record<string, number>>
  facets_stats?: Record<string, { min: number; max: number; avg: number; sum: number }>
  processingTimeMS: number
  query: string
  params: string
  index?: string
  queryID?: string
  /** `userData` of the rules that applied (redirects, promoted content). */
  userData?: unknown[]
  appliedRules?: { objectID: string }[]
  /** Not in Algolia's API: the query with its misspelled words corrected, when it differs. */
  didYouMean?: string
  /** Not in Algolia's API: words dropped because nothing matched with them. */
  droppedWords?: string[]
  /** Not in Algolia's API, with `getRankingInfo`: the noun by which the first hit is the thing searched for, and its purpose. */
  grammar?: { thing?: string; purpose?: string }
}

/** The part of a response that search analytics need. */
export type AnswerSummary = Pick<SearchResponse, 'index' | 'query' | 'nbHits' | 'page' | 'queryID'> & {
  /** Ids of the hits, if events may refer to the query. */
  objectIDs: string[]
}

/** A response as sent: its JSON in UTF-8. */
export interface WrittenAnswer {
  json: Uint8Array
  summary: AnswerSummary
}

export interface FacetHit {
  value: string
  highlighted: string
  count: number
}

export interface Synonym {
  objectID: string
  type: 'synonym' | 'oneWaySynonym'
  input?: string
  synonyms: string[]
}

export interface Rule {
  objectID: string
  enabled?: boolean
  conditions?: { pattern?: string; anchoring?: 'is' | 'startsWith' | 'endsWith' | 'contains'; context?: string }[]
  consequence: {
    params?: Partial<SearchParams> & { automaticFacetFilters?: unknown }
    promote?: { objectID: string; position: number }[]
    hide?: { objectID: string }[]
    userData?: unknown
  }
}

export interface SearchEvent {
  eventType: 'click' | 'conversion' | 'view'
  eventName: string
  index: string
  userToken: string
  objectIDs?: string[]
  queryID?: string
  positions?: number[]
  timestamp?: number
}

/** One query of a multi-query, with its index. */
export interface IndexedQuery {
  indexName: string
  params: SearchParams
  /** `facet` requests values of one facet instead of hits. */
  type?: 'default' | 'facet'
  facet?: string
  facetQuery?: string
}

/** The request is invalid. The API responds as Algolia does: `{ message, status }`. */
export class SearchRequestError extends Error {
  readonly status: number
  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}

/** A response beyond the bytes its caller allows. */
export class ResponseTooLargeError extends SearchRequestError {
  constructor() {
    super('The response would be too large: request fewer hits, attributes or facet values')
  }
}

/** An index as `listIndexes` describes it. */
export interface IndexSummary {
  name: string
  /** Number of documents. */
  entries: number
  version: number
  /** ISO 8601. */
  updatedAt: string
  /** Whether a part is left out because a file was lost or damaged; `replaceAll` repairs it. */
  isDamaged: boolean
}

/**
 * A search engine. Methods reject with `SearchRequestError` for an invalid request: 400, 404 for an unknown index,
 * 403 for a write to a read-only engine, 503 for a write by a replaced writer.
 */
export interface SearchEngine {
  /** One page of hits with its facets. `indexName` may name a sort order of an index: "products_price_asc". */
  search(indexName: string, params: SearchParams, signal?: AbortSignal): Promise<SearchResponse>
  /** Like `search`, for a response that is only passed on; rejects if it is larger than `maxBytes`. Optional for an engine. */
  searchWritten?(indexName: string, params: SearchParams, limits?: { maxBytes?: number }): Promise<WrittenAnswer>
  /** Several queries at once; rejects when one of them does. */
  multiSearch(
    queries: IndexedQuery[],
    signal?: AbortSignal,
  ): Promise<(SearchResponse | { facetHits: FacetHit[]; exhaustiveFacetsCount: boolean; processingTimeMS: number })[]>
  /** Values of a `searchable(...)` facet with a prefix, with their counts among the matches of the query. */
  facetValues(indexName: string, facet: string, facetQuery: string, params: SearchParams): Promise<FacetHit[]>
  /** Documents by id, in the requested order; null for one that does not exist or does not pass the restrictions. */
  getObjects(indexName: string, objectIDs: string[], restrictions?: readonly string[]): Promise<(SearchDocument | null)[]>
  /** Adds or replaces whole documents. Creates the index if it is missing. Durable and visible when it resolves. */
  upsert(indexName: string, documents: SearchDocument[]): Promise<void>
  /** Removes documents; ids that do not exist are ignored. Durable and visible when it resolves. */
  remove(indexName: string, objectIDs: string[]): Promise<void>
  /**
   * Builds a new index next to the old one, streaming, and swaps them at the end. Writes during the build are kept.
   * `progress` is called every 500 documents; resolves with the number of documents in the new index.
   */
  replaceAll(
    indexName: string,
    documents: AsyncIterable<SearchDocument> | Iterable<SearchDocument>,
    settings: IndexSettings,
    progress?: (done: number) => void,
  ): Promise<{ documents: number }>
  /** The settings of an index as given. */
  settings(indexName: string): Promise<IndexSettings>
  /** Replaces the settings. Rebuilds the index from its documents when the schema changes. */
  setSettings(indexName: string, settings: IndexSettings): Promise<void>
  /** Adds synonyms, replacing those with the same `objectID`; `replaceExisting` drops all others. */
  setSynonyms(indexName: string, synonyms: Synonym[], options?: { replaceExisting?: boolean }): Promise<void>
  /** All synonyms of an index. */
  synonyms(indexName: string): Promise<Synonym[]>
  /** Adds rules, replacing those with the same `objectID`; `clearExisting` drops all others. */
  setRules(indexName: string, rules: Rule[], options?: { clearExisting?: boolean }): Promise<void>
  /** All rules of an index. */
  rules(indexName: string): Promise<Rule[]>
  /** Appends click and conversion events to `events.jsonl`; `timestamp` is in milliseconds since 1970, now by default. */
  events(events: SearchEvent[]): Promise<void>
  /** All documents that pass the filters, by `objectID`, up to 1,000 per page; `cursor` is missing on the last page. */
  browse(
    indexName: string,
    params: Pick<SearchParams, 'hitsPerPage' | 'filters' | 'facetFilters' | 'numericFilters' | 'restrictions'> & { cursor?: string },
  ): Promise<{ hits: SearchDocument[]; cursor?: string }>
  /** All indexes, with the number of documents in each. */
  listIndexes(): Promise<IndexSummary[]>
  /** Deletes an index with its files; does nothing if there is none. */
  deleteIndex(indexName: string): Promise<void>
  /** Incremented with every visible change, so that caches can use it as a key; 0 when there is no such index. */
  version(indexName: string): number
  /** Waits for pending writes, closes files, ends threads and releases the lease. */
  close(): Promise<void>
}
