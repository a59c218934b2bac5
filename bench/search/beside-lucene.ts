import type { IndexedQuery, SearchDocument, SearchEngine, SearchParams, SearchResponse } from '../../search/src/index.ts'
import { figure, type Figure } from '../src/figures.ts'
import { openLucene, type Lucene } from './lucene.ts'

type Answer = Pick<SearchResponse, 'nbHits' | 'hits' | 'facets'>

export interface BesideLucene {
  engine: SearchEngine
  documents: readonly SearchDocument[]
  queries: readonly IndexedQuery[]
  facets: readonly string[]
  rounds?: number
}

/** Passes over all queries before anything is measured: the JIT compilers of both have then done their work. */
const warmPasses = 10
/** Queries of one engine before it is the other one's turn. */
const turn = 60
const brandsAsked = 40

/**
 * The engine and Lucene, each with one thread, in turn: the time each needs from the query to the response as JSON. Nothing if
 * Lucene is not installed.
 */
export async function measureBesideLucene({ engine, documents, queries, facets, rounds = 5 }: BesideLucene): Promise<Figure[]> {
  const lucene = await openLucene(documents, facets)
  if (!lucene) return []
  try {
    const ours = async ({ indexName, params }: IndexedQuery): Promise<number> => {
      const from = performance.now()
      await engine.searchWritten!(indexName, params)
      return performance.now() - from
    }
    const stored = ({ params }: IndexedQuery) => lucene.time(params, 'stored fields')
    const heap = ({ params }: IndexedQuery) => lucene.time(params, 'heap')
    for (let pass = 0; pass < warmPasses; pass++) for (const ask of [ours, stored, heap]) for (const query of queries) await ask(query)

    const times = { ours: [] as number[], stored: [] as number[], heap: [] as number[] }
    const ratios: number[] = []
    /** Without what others on the machine cost: the sum over all queries of their fastest round. */
    const fastest = (all: readonly number[]) =>
      sum(queries.map((_, at) => Math.min(...all.filter((_, from) => from % queries.length === at))))
    for (let round = 0; round < rounds; round++) {
      const before = { ours: sum(times.ours), stored: sum(times.stored) }
      for (let from = 0; from < queries.length; from += turn) {
        const some = queries.slice(from, from + turn)
        for (const query of some) times.ours.push(await ours(query))
        for (const query of some) times.stored.push(await stored(query))
        for (const query of some) times.heap.push(await heap(query))
      }
      ratios.push((sum(times.stored) - before.stored) / (sum(times.ours) - before.ours))
    }
    return [
      ...paceOf('search: ours, responses as JSON, in turn with Lucene', times.ours),
      ...paceOf('search: Lucene on the same work', times.stored),
      ...paceOf('search: Lucene with all documents in its heap', times.heap),
      figure('search: times the requests of Lucene', sum(times.stored) / sum(times.ours), 'x', '>= 5'),
      figure('search: times the requests of Lucene, lowest round', Math.min(...ratios), 'x'),
      figure('search: times the requests of Lucene, highest round', Math.max(...ratios), 'x'),
      figure('search: times the requests of Lucene with its documents in the heap', sum(times.heap) / sum(times.ours), 'x'),
      figure('search: the same, each query at its fastest', fastest(times.stored) / fastest(times.ours), 'x'),
      figure('search: the same with the heap, each query at its fastest', fastest(times.heap) / fastest(times.ours), 'x'),
      ...(await agreement(engine, lucene, queries, documents)),
    ]
  } finally {
    await lucene.close()
  }
}

const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0)

function paceOf(name: string, ms: readonly number[]): Figure[] {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return [figure(name, (ms.length * 1000) / sum(ms), 'requests/s'), figure(name, at(0.5), 'ms p50'), figure(name, at(0.99), 'ms p99')]
}

/**
 * Shares of queries to which both return the same number of models, the same counts of all facets and, where all fit on a page,
 * the same models. Names of brands leave nothing to interpretation; other words may have different stems, prefixes and synonyms.
 */
async function agreement(
  engine: SearchEngine,
  lucene: Lucene,
  queries: readonly IndexedQuery[],
  documents: readonly SearchDocument[],
): Promise<Figure[]> {
  const brands = [...new Set(documents.map(({ brandName }) => String(brandName)))].slice(0, brandsAsked)
  const ofBrands = brands.map((query, at) => {
    const { indexName, params } = queries[at % queries.length]!
    return { indexName, params: { ...params, query, facetFilters: [['storefronts:b2c']] } }
  })
  const share = async (asked: readonly IndexedQuery[]): Promise<number> => {
    let same = 0
    for (const { indexName, params } of asked) {
      const mine = (await engine.search(indexName, params)) as Answer
      const answer = JSON.parse(await lucene.ask(params)) as Answer
      if (isSame(mine, answer, params)) same++
      else if (process.env['BENCH_DIFFERENCES']) process.stderr.write(`${params.query}: ${mine.nbHits} and ${answer.nbHits}\n`)
    }
    return (100 * same) / asked.length
  }
  return [
    figure('search: the same models and counts as Lucene, names of brands', await share(ofBrands), '%', '>= 100'),
    figure('search: the same models and counts as Lucene, all queries', await share(queries), '%'),
  ]
}

function isSame(mine: Answer, theirs: Answer, { facets = [] }: SearchParams): boolean {
  if (mine.nbHits !== theirs.nbHits || mine.hits.length !== theirs.hits.length) return false
  const models = ({ hits }: Answer) =>
    hits
      .map(({ groupId }) => String(groupId))
      .toSorted()
      .join()
  if (mine.nbHits === mine.hits.length && models(mine) !== models(theirs)) return false
  const counts = ({ facets: of }: Answer, name: string) =>
    JSON.stringify(Object.entries(of?.[name] ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return (facets as string[]).every((name) => counts(mine, name) === counts(theirs, name))
}
