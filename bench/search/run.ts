import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSearchEngine, type SearchParams } from '../../search/src/index.ts'
import type { ListingInput } from '../../server/src/goods/listing/index.ts'
import { figure, printTable, type Figure } from '../src/figures.ts'
import { load } from '../src/load.ts'
import { measureBesideLucene } from './beside-lucene.ts'
import { documents, settingsOf, writeCatalogue } from './catalogue.ts'
import { openMiniSearch, openSqlite } from './others.ts'
import { departments, everything, indexName, mainQuery, questionsOf, searches, type Question } from './questions.ts'
import { hostileQueries } from './hostile.ts'
import { serve, type Served } from './serve.ts'

export interface SearchBenchOptions {
  /** Sizes of the growth curve, ascending. */
  sizes?: number[]
  /** Compare with SQLite FTS5, MiniSearch and, where it is installed, Lucene. */
  beside?: boolean
  /** Number of products of that comparison. */
  besideProducts?: number
  /** Where the generated products are kept between runs; by default a temporary folder. */
  folder?: string
  threads?: number
  seconds?: number
}

const besideSize = 43_000
/** Bytes of documents in memory, as in the server that is measured over HTTP. */
const documentMemory = 128_000_000
/** A warmed-up server, with its code compiled. */
const warmSeconds = 8
const million = 1_000_000

/**
 * Lists of the shop as the shop asks for them, one card per model and counts in models, over HTTP at ten connections; compared
 * with other engines; while documents change. Large sizes: `node bench/search/run.ts 10000 100000 1000000`; `beside 5000` compares
 * alone, with so many products.
 */
export async function run(options: SearchBenchOptions = {}): Promise<Figure[]> {
  const { sizes = [10_000, 100_000], beside = true, threads = Math.max(1, availableParallelism()), seconds = 8 } = options
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'bench-search-'))
  mkdirSync(folder, { recursive: true })
  try {
    const figures: Figure[] = []
    if (beside) figures.push(...(await measureBeside(options.besideProducts)))
    for (const size of sizes) figures.push(...(await measureSize(folder, size, threads, seconds)))
    return figures
  } finally {
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

/** Requests per second of each engine, one after another in this thread, on the same lists: words, filters, groups and facets. */
async function measureBeside(size = besideSize): Promise<Figure[]> {
  const made = await Array.fromAsync(documents(size))
  const directory = mkdtempSync(join(tmpdir(), 'bench-beside-'))
  const engine = await openSearchEngine({ directory, limits: { documentMemory } })
  const figures: Figure[] = []
  try {
    await engine.replaceAll(indexName, made, await settingsOf())
    const asked = (await questionsOf(engine, searches(480))).map((question) => ({ input: question.input, main: mainQuery(question) }))
    const facetsOf = (params: SearchParams) => params.facets as string[]
    for (const { main } of asked) await engine.search(main.indexName, main.params)
    const ours = await timesOf(asked, ({ main }) => engine.search(main.indexName, main.params))
    figures.push(figure(`search: ${size} products, one thread`, ours.perSecond, 'requests/s'), ...percentiles('search: ours', ours))
    const facets = [...new Set(asked.flatMap(({ main }) => facetsOf(main.params)))]
    figures.push(...(await measureBesideLucene({ engine, documents: made, queries: asked.map(({ main }) => main), facets })))
    for (const open of [openSqlite, openMiniSearch]) {
      const other = open(made, facets)
      const some = asked.slice(0, 60)
      for (const { input, main } of some.slice(0, 10)) other.ask(input, facetsOf(main.params))
      const theirs = await timesOf(some, ({ input, main }) => other.ask(input, facetsOf(main.params)))
      other.close()
      figures.push(figure(`search: ${other.name} on the same work`, theirs.perSecond, 'requests/s'))
      figures.push(...percentiles(`search: ${other.name}`, theirs))
      figures.push(figure(`search: times the requests of ${other.name}`, ours.perSecond / theirs.perSecond, 'x', '>= 10'))
    }
  } finally {
    await engine.close()
    rmSync(directory, { recursive: true, force: true })
  }
  return figures
}

interface Times {
  perSecond: number
  p50: number
  p99: number
}

async function timesOf<T>(items: readonly T[], ask: (item: T) => unknown): Promise<Times> {
  const ms: number[] = []
  for (const item of items) {
    const from = performance.now()
    await ask(item)
    ms.push(performance.now() - from)
  }
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return { perSecond: (items.length * 1000) / ms.reduce((sum, one) => sum + one, 0), p50: at(0.5), p99: at(0.99) }
}

const percentiles = (name: string, { p50, p99 }: Times): Figure[] => [figure(name, p50, 'ms p50'), figure(name, p99, 'ms p99')]

const requestHeaders = { 'content-type': 'text/plain', 'x-algolia-api-key': 'bench', 'x-algolia-application-id': 'bench' }

/** A list as the shop asks for it: all of its queries in one request. */
const asRequests = (questions: readonly Question[]) =>
  questions.map(({ queries }) => ({
    method: 'POST' as const,
    path: '/1/indexes/*/queries',
    headers: requestHeaders,
    body: JSON.stringify({ requests: queries.map(({ indexName: name, params }) => ({ indexName: name, ...params })) }),
  }))

/** The lists of the benchmark, as asked on the index in the folder. */
async function recordQuestions(directory: string) {
  const engine = await openSearchEngine({ directory, mode: 'reader' })
  try {
    const ask = async (inputs: readonly ListingInput[]) => asRequests(await questionsOf(engine, inputs))
    return {
      text: await ask(searches(480)),
      typos: await ask(searches(480, true)),
      departments: await ask(await departments()),
      everything: await ask([everything]),
    }
  } finally {
    await engine.close()
  }
}

async function measureSize(folder: string, size: number, most: number, seconds: number): Promise<Figure[]> {
  const catalogue = join(folder, `products-${size}.jsonl`)
  await writeCatalogue(catalogue, size)
  // With few products a hand-over between threads costs more than the search.
  const threads = size <= besideSize ? 0 : most
  const directory = join(folder, `index-${size}`)
  rmSync(directory, { recursive: true, force: true })
  const figures: Figure[] = []
  const name = `search: ${size.toLocaleString('en')} products`
  const isLarge = size >= million

  const first = await serve(directory, threads)
  const built = await first.build(catalogue)
  figures.push(figure(`${name}, build`, built / 1000, 's', isLarge ? '<= 150' : null))
  await first.stop()

  const requests = await recordQuestions(directory)
  const served = await serve(directory, threads)
  figures.push(figure(`${name}, start from disk`, served.openMs, 'ms', isLarge ? '<= 5000' : null))
  const text = await load(served.origin, requests.text, { seconds, warmSeconds })
  figures.push(figure(`${name}, a list of the shop, 10 connections`, text.perSecond, 'lists/s'))
  figures.push(figure(`${name}, a list of the shop, 10 connections`, text.p50, 'ms p50'))
  figures.push(figure(`${name}, a list of the shop, 10 connections`, text.p99, 'ms p99', isLarge ? '<= 50' : '<= 20'))
  const typos = await load(served.origin, requests.typos, { seconds, warmSeconds })
  figures.push(figure(`${name}, one typo per query`, typos.p99, 'ms p99', isLarge ? '<= 80' : null))
  const pages = await load(served.origin, requests.departments, { seconds, warmSeconds: 2 })
  figures.push(figure(`${name}, pages of departments`, pages.p50, 'ms p50'))
  figures.push(figure(`${name}, pages of departments`, pages.p99, 'ms p99', isLarge ? '<= 40' : null))
  const all = await load(served.origin, requests.everything, { seconds, warmSeconds: 2 })
  figures.push(figure(`${name}, the whole catalogue`, all.p99, 'ms p99', isLarge ? '<= 150' : null))
  figures.push(figure(`${name}, memory`, (await served.memory()).rssMb, 'MB', isLarge ? '<= 2500' : null))
  if (size === 100_000) figures.push(await measureHostile(served, name))
  if (size === 100_000) figures.push(...(await measureUpdates(served, name, size, { seconds, requests: requests.text })))
  else await served.stop()
  return figures
}

/** The slowest of 200 hostile queries, each alone; the faster of two attempts, as the machine is not. */
async function measureHostile({ origin }: Served, name: string): Promise<Figure> {
  let slowest = { ms: 0, what: '' }
  for (const params of hostileQueries(200)) {
    const body = JSON.stringify(params)
    let fastest = Infinity
    for (let attempt = 0; attempt < 2; attempt++) {
      const from = performance.now()
      await (await fetch(`${origin}/1/indexes/${indexName}/query`, { method: 'POST', headers: requestHeaders, body })).arrayBuffer()
      fastest = Math.min(fastest, performance.now() - from)
    }
    if (fastest > slowest.ms) slowest = { ms: fastest, what: body.slice(0, 100) }
  }
  process.stderr.write(`slowest of 200 hostile queries: ${slowest.what}\n`)
  return figure(`${name}, the slowest of 200 hostile queries`, slowest.ms, 'ms', '<= 50')
}

async function measureUpdates(
  served: Served,
  name: string,
  size: number,
  { seconds, requests }: { seconds: number; requests: ReturnType<typeof asRequests> },
): Promise<Figure[]> {
  // Slightly above the target rate, so that keeping up can be measured.
  served.startUpdates(1050, size)
  const text = await load(served.origin, requests, { seconds, warmSeconds })
  const { updates, ms } = await served.stop()
  const perSecond = (updates * 1000) / ms
  return [
    figure(`${name}, while it is updated`, perSecond, 'updates/s', '>= 1000'),
    figure(`${name}, while it is updated, 10 connections`, text.p99, 'ms p99', '<= 30'),
  ]
}

if (import.meta.main) {
  const [first, ...more] = process.argv.slice(2)
  const sizes = process.argv.slice(2).map(Number)
  printTable(
    await run({
      ...(first === 'beside' ? { sizes: [], besideProducts: Number(more[0] ?? besideSize) } : first ? { sizes, beside: false } : {}),
      ...(process.env.BENCH_FOLDER ? { folder: process.env.BENCH_FOLDER } : {}),
    }),
  )
}
