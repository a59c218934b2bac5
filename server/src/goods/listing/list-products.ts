import type { ProductCard } from '@purlin/contract/product-card.ts'
import { markets } from '@purlin/contract/markets.ts'
import type { SearchParams, SearchResponse } from '@purlin/search/types.ts'
import { boundedCache, type SiteScope } from '#platform'
import { reference, type Category, type Reference } from '#catalogue'
import { priceDisplay, type PriceDisplay } from '#pricing'
import { cardOf, unpaidCardOf } from './card.ts'
import { offersIndex, productsIndex, type ProductDocument } from './document.ts'
import { attributeFacet, commonFacets, priceAttribute, worthwhileAttributes, type FacetField } from './facet-plan.ts'
import { reachableHits } from './index-settings.ts'
import { orderLearned, rankingOfIndex } from './learned-order.ts'
import { normalizeListing, pageSizesOf, type ListingInput, type ListingRequest } from './listing-input.ts'
import { clausesOf, optionalFilters, queryParams, raiseWithinPage, scopeFilters, sortedIndex, type Clause } from './listing-queries.ts'
import { searchEngine } from './ports.ts'
import { engineProvider, searchClient, type SearchClient, type SearchProvider } from './search-client.ts'
import { addressOfPriced, readPriceWords } from './price-words.ts'
import { titleWords } from './title-words.ts'
import { translationOf } from './translate-query.ts'
import { placeSponsored } from './sponsored-places.ts'
import { shapeFacet, type Facet } from './shape-facets.ts'
import {
  correctionOf,
  droppedOf,
  evidenceParams,
  filtersOf,
  isPoor,
  partsOf,
  understoodOf,
  withoutChosen,
  withoutWeakest,
  wordsBeside,
  type Understood,
} from './understand-query.ts'
import type { QueryPart } from './query-parts.ts'
import type { UnderstoodFilter } from './resolve-parts.ts'
import { sortKeys, sortLabel, type SortKey } from './words.ts'

export interface Listing {
  total: number
  page: number
  pageSize: number
  pages: number
  cards: ProductCard[]
  facets: Facet[]
  sort: SortKey
  sorts: { key: SortKey; label: string }[]
  pageSizes: readonly number[]
  category: Category | null
  didYouMean: string | null
  droppedWords: string[]
  /** Parts of the query that mean more than their words; each can be taken literally instead. */
  understood: Understood[]
  redirectUrl: string | null
  predictedCategories: Category[]
  queryId: string | null
  /** False when the search engine was unavailable (F6). */
  available: boolean
}

export type ListingScope = Pick<SiteScope, 'db' | 'market' | 'mode' | 'prefersVat' | 'now' | 'userToken'>

// Complete results: visitors browsing a category repeat recent requests. A card takes about two kilobytes, and so do sixteen values
// of facets. One that is out of date is replaced by its successor instead of ageing beside it.
const maxCards = 3_000
const weightOf = ({ listing: { cards, facets } }: { listing: Listing }): number =>
  1 + cards.length + facets.reduce((sum, { values }) => sum + values.length, facets.length) / 16
const answers = boundedCache<{ listing: Listing; stamp: string }>(maxCards, weightOf)
const keys = new WeakMap<Listing, { index: string; key: string; stamp: string }>()

interface Plan {
  /** The attributes that justify a facet. */
  attributes: string[]
  /** What parts of the query mean. */
  filters: UnderstoodFilter[]
  /** Whether goods are named by the noun of the query. */
  isNamed: boolean
}
// By subject of the page.
const plans = boundedCache<Plan>(30_000, ({ attributes, filters }) => 1 + attributes.length + filters.length * 4)

/**
 * Products of a category, search, seller, brand or operation: query, group, apply rules, present. No SQL once the
 * reference data is cached. A dead or slow engine gives an empty listing that says so.
 */
export async function listProducts(scope: ListingScope, input: ListingInput): Promise<Listing> {
  const priced = await listPriced(scope, input)
  if (priced) return priced
  const request = normalizeListing(input)
  const catalogue = await reference(scope)
  const display = priceDisplay(scope)
  const engine = searchEngine()
  // A seller's page consists of that seller's own offers, whoever wins the buy box.
  const index = input.kind === 'seller' ? offersIndex(scope.market) : productsIndex(scope.market)
  const version = engine.version(index)
  const key = `${scope.market}:${scope.mode}:${display.key}:${JSON.stringify(request)}`
  const stamp = stampOf(version, scope.now)
  const known = answers.get(key)
  if (known?.stamp === stamp) return known.listing

  const about = scopeFilters(request, scope.mode)
  const category = request.kind === 'category' && request.id !== null ? (catalogue.categories.byId.get(request.id) ?? null) : null
  if (!about || (request.kind === 'category' && !category)) return emptyListing(scope, request, category, true)

  const client = searchClient(providerOf(engine), { userToken: scope.userToken ?? null })
  const found = await find(client, { scope, request, about, catalogue, display, index, version })
  if (!found) return emptyListing(scope, request, category, false)

  const hits = found.answer.hits as unknown as ProductDocument[]
  const learned = isSearch(request) ? await rankingOfIndex(engine, index, version) : null
  const ordered = learned ? orderLearned(hits, learned, scope.mode) : hits
  const raised = request.kind === 'seller' ? hits : raiseWithinPage(ordered, request, scope.mode)
  const { cards: documents, paid } = placeSponsored(raised, request, scope.mode)
  const listing = show(scope, { request, category, catalogue, display, found, documents, paid })
  answers.set(key, { listing, stamp })
  keys.set(listing, { index, key, stamp })
  return listing
}

/**
 * The list of a query that says a price, with the price as a filter and the address where it can be taken off; null for other
 * queries, and when nothing costs that.
 */
async function listPriced(scope: ListingScope, input: ListingInput): Promise<Listing | null> {
  if (input.kind !== 'search' || input.ranges?.some(({ key }) => key === 'price')) return null
  const priced = readPriceWords(normalizeListing(input).query, markets[scope.market].language)
  if (!priced) return null
  const { query, min, max } = priced
  const listing = await listProducts(scope, { ...input, query, ranges: [...(input.ranges ?? []), { key: 'price', min, max }] })
  return listing.total > 0 ? { ...listing, redirectUrl: listing.redirectUrl ?? addressOfPriced(priced) } : null
}

/** An answer of the index holds for a minute, until the index changes. */
export const stampOf = (version: number, now: Date): string => `${version}:${Math.floor(now.getTime() / 60_000)}`

/** Whether the cached listing is still valid; the function does not hold the listing in memory. Null when it was not cacheable. */
export function holdsStill(listing: Listing): (() => boolean) | null {
  const kept = keys.get(listing)
  if (!kept) return null
  return () => {
    const current = answers.get(kept.key)?.listing
    return current !== undefined && keys.get(current) === kept && kept.stamp === stampOf(searchEngine().version(kept.index), new Date())
  }
}

interface Found {
  answer: SearchResponse
  fields: FacetField[]
  /** Counts of refined facets, without their own refinement. */
  unrefined: ReadonlyMap<string, SearchResponse>
  parts: readonly QueryPart[]
  /** What was understood of the query and applied. */
  filters: readonly UnderstoodFilter[]
}

interface Question {
  scope: ListingScope
  request: ListingRequest
  about: string[][]
  catalogue: Reference
  display: PriceDisplay
  index: string
  version: number
}

/** One round trip to the engine if the facets are known, two if they depend on the hits. Null when it is unavailable. */
async function find(client: SearchClient, question: Question): Promise<Found | null> {
  const { scope, request, catalogue, display } = question
  const common = commonFacets(scope.market, display)
  const reserved = new Set(common.map(({ key }) => key))
  const { language } = markets[scope.market]
  const attributeFields = (keys: readonly string[]): FacetField[] => keys.flatMap((key) => attributeFacet(catalogue, language, key) ?? [])

  // A refined facet must stay, whatever the plan contains.
  const asked = [...request.filters, ...request.ranges].map(({ key }) => key).filter((key) => !reserved.has(key))
  const parts = partsOf(request, catalogue, scope.market)
  const planned = await planOf(client, question, parts, reserved)
  if (!planned) return null
  const fields = [...common, ...attributeFields([...new Set([...asked, ...planned.attributes])])]
  let filters = withoutChosen(planned.filters, request)
  // Nothing found that way means less understood, not nothing shown.
  for (;;) {
    const found = await findWith(client, question, fields, parts, filters)
    if (!found) return null
    // Without the thing itself, what is left is its accessories.
    const isRight =
      found.answer.nbHits > 0 && (!planned.isNamed || found.answer.grammar?.thing !== undefined || request.sort !== 'relevance')
    if (isRight || filters.length === 0) return (await findTranslated(client, question, found)) ?? found
    filters = withoutWeakest(filters)
  }
}

/** The listing of the goods that the words name in another language; null when they name none, or fit as they are. */
async function findTranslated(client: SearchClient, question: Question, { answer, parts }: Found): Promise<Found | null> {
  const { scope, request, about, catalogue } = question
  if (request.kind !== 'search' || !isPoor(answer)) return null
  const titles = await titleWords(scope, catalogue)
  const translated = translationOf(request.query, parts, { market: scope.market, catalogue, titles, literal: request.literal })
  if (!translated) return null
  const { filter, rest } = translated
  const within = { ...question, about: [...about, ...filter.clauses.flatMap(({ facetFilter }) => (facetFilter ? [facetFilter] : []))] }
  for (const query of rest === '' ? [''] : [rest, '']) {
    const found = await find(client, { ...within, request: { ...request, query } })
    if (!found) return null
    const droppedWords = query === rest ? (found.answer.droppedWords ?? []) : [rest]
    if (found.answer.nbHits > 0) return { ...found, answer: { ...found.answer, droppedWords }, filters: [filter, ...found.filters] }
  }
  return null
}

/** The facets and the meaning of a query, from its hits; null when the engine is unavailable. */
async function planOf(
  client: SearchClient,
  { request, about, catalogue, index, version, scope }: Question,
  parts: readonly QueryPart[],
  reserved: ReadonlySet<string>,
): Promise<Plan | null> {
  const query = request.kind === 'search' ? `${request.query.toLowerCase()}\n${request.literal.join('\n')}` : ''
  const key = `${version}:${about.join()}:${query}`
  const known = plans.get(key)
  if (known) return known
  const counted: SearchParams = { facetFilters: about, facets: ['attrKeys'], maxValuesPerFacet: 200, analytics: false }
  const answer = await client.search({
    indexName: index,
    params: { ...evidenceParams(request.query, parts), ...counted, ...literalWords(request) },
  })
  if (answer.status === 0) return null
  const plan = {
    isNamed: answer.value.grammar?.thing !== undefined,
    attributes: worthwhileAttributes(answer.value, reserved),
    filters: await filtersOf(parts, answer.value, catalogue, scope),
  }
  plans.set(key, plan)
  return plan
}

/** The listing with these parts of its query as filters. */
async function findWith(
  client: SearchClient,
  { scope, request: whole, about, display, index }: Question,
  fields: FacetField[],
  parts: readonly QueryPart[],
  filters: readonly UnderstoodFilter[],
): Promise<Found | null> {
  const request = { ...whole, query: wordsBeside(whole.query, parts, filters) }
  const byKey = new Map(fields.map((field) => [field.key, field]))
  const chosen = clausesOf(request, byKey)
  const clauses = [...chosen, ...filters.flatMap((filter) => filter.clauses)]
  const refined = [...new Set(chosen.map(({ key }) => key))]

  const main = {
    indexName: sortedIndex(index, request.sort, priceAttribute(display)),
    params: queryParams(request, about, clauses, {
      page: request.page - 1,
      hitsPerPage: request.pageSize,
      facets: fields.filter(({ key }) => !refined.includes(key)).map(({ attribute }) => attribute),
      maxValuesPerFacet: 500,
      optionalFilters: optionalFilters(whole, scope.mode),
      attributesToHighlight: [],
      ...(request.kind === 'search' ? { ...searchExtras, ...literalWords(request) } : { analytics: false }),
    }),
  }
  const others = refined.map((key) => ({ indexName: index, params: facetParams(request, about, clauses, byKey.get(key) as FacetField) }))
  const answer = await client.multiSearch([main, ...others])
  if (answer.status === 0) return null
  const [first, ...rest] = answer.value
  const unrefined = new Map(refined.map((key, at) => [key, rest[at] as SearchResponse]))
  return { answer: first as SearchResponse, fields, unrefined, parts, filters }
}

const literalWords = ({ literal }: ListingRequest): SearchParams => (literal.length > 0 ? { literalWords: literal } : {})

const searchExtras: SearchParams = { clickAnalytics: true, removeWordsIfNoResults: 'exceptHead', getRankingInfo: true }

function facetParams(request: ListingRequest, about: string[][], clauses: readonly Clause[], field: FacetField): SearchParams {
  const extra = { hitsPerPage: 0, facets: [field.attribute], maxValuesPerFacet: 500, analytics: false }
  return queryParams(
    request,
    about,
    clauses,
    { ...extra, ...(request.kind === 'search' ? { removeWordsIfNoResults: 'exceptHead', ...literalWords(request) } : {}) },
    field.key,
  )
}

function show(
  scope: ListingScope,
  {
    request,
    category,
    catalogue,
    display,
    found,
    documents,
    paid,
  }: {
    request: ListingRequest
    category: Category | null
    catalogue: Reference
    display: PriceDisplay
    found: Found
    documents: readonly ProductDocument[]
    /** Cards whose place is paid for. */
    paid: ReadonlySet<ProductDocument>
  },
): Listing {
  const { answer, fields, unrefined, parts, filters } = found
  const viewer = { display, mode: scope.mode, now: scope.now, catalogue }
  const context = { market: scope.market, catalogue, request }
  return {
    ...emptyListing(scope, request, category, true),
    total: answer.nbHits,
    pages: Math.ceil(Math.min(answer.nbHits, reachableHits) / request.pageSize),
    cards: documents.map((document) => (paid.has(document) ? cardOf : unpaidCardOf)(document, viewer)),
    facets: fields.flatMap((field) => shapeFacet(field, unrefined.get(field.key) ?? answer, context) ?? []),
    didYouMean: correctionOf(parts, filters, answer),
    droppedWords: droppedOf(parts, filters, answer),
    understood: understoodOf(filters, answer),
    redirectUrl: redirectOf(answer),
    predictedCategories: isFirstByRelevance(request) ? predictCategories(answer.hits as unknown as ProductDocument[], catalogue) : [],
    queryId: answer.queryID ?? null,
  }
}

/** Words, in the order of relevance. */
function isSearch({ kind, query, sort }: ListingRequest): boolean {
  return kind === 'search' && query !== '' && sort === 'relevance'
}

/** The first page of the best hits: it reveals the intent, and what is chosen there teaches. */
export function isFirstByRelevance(request: ListingRequest): boolean {
  return isSearch(request) && request.page === 1
}

/** Share of the first hits a category needs to count as the query's probable intent. */
const predictedFrom = 0.2
const predictedMax = 3
/** The first hits show the intent; later ones merely mention a word. */
const predictedFromHits = 24

/** Categories of a query's best hits: the deepest ones that hold enough of them. */
export function predictCategories(
  hits: readonly { categoryIds: readonly number[] }[],
  { categories }: Pick<Reference, 'categories'>,
): Category[] {
  const counts = new Map<Category, number>()
  const best = hits.slice(0, predictedFromHits)
  for (const { categoryIds } of best) {
    for (const id of categoryIds) {
      const category = categories.byId.get(id)
      if (category) counts.set(category, (counts.get(category) ?? 0) + 1)
    }
  }
  const enough = [...counts].filter(([, count]) => count >= best.length * predictedFrom)
  return enough
    .filter(([category]) => !enough.some(([other]) => other !== category && other.path.includes(category.id)))
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, predictedMax)
    .map(([category]) => category)
}

/** An address of this shop, never of another: rules contain user input. */
export function redirectOf(answer: Pick<SearchResponse, 'userData'>): string | null {
  for (const data of answer.userData ?? []) {
    const url = (data as { redirect?: unknown } | null)?.redirect
    if (typeof url === 'string' && /^\/(?![/\\])/.test(url)) return url
  }
  return null
}

function emptyListing({ market }: ListingScope, request: ListingRequest, category: Category | null, available: boolean): Listing {
  return {
    total: 0,
    page: request.page,
    pageSize: request.pageSize,
    pages: 0,
    cards: [],
    facets: [],
    sort: request.sort,
    sorts: sortKeys.map((key) => ({ key, label: sortLabel(market, key) })),
    pageSizes: pageSizesOf(request.kind),
    category,
    didYouMean: null,
    droppedWords: [],
    understood: [],
    redirectUrl: null,
    predictedCategories: [],
    queryId: null,
    available,
  }
}

const providers = new WeakMap<object, SearchProvider>()

/** One provider per engine: the client's circuit breaker keeps its state from request to request. */
export function providerOf(engine: ReturnType<typeof searchEngine>): SearchProvider {
  let provider = providers.get(engine)
  if (!provider) providers.set(engine, (provider = engineProvider(engine)))
  return provider
}
