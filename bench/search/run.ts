import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSearchEngine } from '../../search/src/index.ts'
import { figure, printTable, type Figure } from '../src/figures.ts'
import { load } from '../src/load.ts'
import { documentAt, questions, settings, writeCatalogue } from './catalogue.ts'
import { openMiniSearch, openSqlite } from './others.ts'
import { serve, type Served } from './serve.ts'

export interface SearchBenchOptions {
  /** Sizes of the growth curve, ascending. */
  sizes?: number[]
  /** Compare with SQLite FTS5 and MiniSearch. */
  beside?: boolean
  /** Where the generated products are kept between runs; by default a temporary folder. */
  folder?: string
  threads?: number
  seconds?: number
}

const besideSize = 43_000
/** A warmed-up server, with its code compiled. */
const warmSeconds = 8
const million = 1_000_000

/**
 * Text with twelve facets and filters, 48 hits per page, over HTTP at ten connections; compared with two other
 * engines in one process; while documents change. Large sizes: `node bench/search/run.ts 10000 100000 1000000`.
 */
export async function run(options: SearchBenchOptions = {}): Promise<Figure[]> {
  const { sizes = [10_000, 100_000], beside = true, threads = Math.max(1, availableParallelism()), seconds = 8 } = options
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'bench-search-'))
  mkdirSync(folder, { recursive: true })
  try {
    const figures: Figure[] = []
    if (beside) figures.push(...(await measureBeside()))
    for (const size of sizes) figures.push(...(await measureSize(folder, size, threads, seconds)))
    return figures
  } finally {
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

/** Requests per second of each engine, one after another in this thread, on the same work. */
async function measureBeside(): Promise<Figure[]> {
  const documents = Array.from({ length: besideSize }, (_, index) => documentAt(index))
  // Highlighting is left out: only one of the three does it.
  const asked = questions(480).map((params) => ({ ...params, attributesToHighlight: [] }))
  const directory = mkdtempSync(join(tmpdir(), 'bench-beside-'))
  const engine = await openSearchEngine({ directory })
  const figures: Figure[] = []
  try {
    await engine.replaceAll('products', documents, settings)
    for (const params of asked) await engine.search('products', params)
    let from = performance.now()
    for (const params of asked) await engine.search('products', params)
    const ours = (asked.length * 1000) / (performance.now() - from)
    figures.push(figure(`search: ${besideSize} products, one thread`, ours, 'requests/s'))
    for (const open of [openSqlite, openMiniSearch]) {
      const other = open(documents)
      const some = asked.slice(0, 120)
      for (const params of some.slice(0, 20)) other.ask(params)
      from = performance.now()
      for (const params of some) other.ask(params)
      const theirs = (some.length * 1000) / (performance.now() - from)
      other.close()
      figures.push(figure(`search: ${other.name} on the same work`, theirs, 'requests/s'))
      figures.push(figure(`search: times the requests of ${other.name}`, ours / theirs, 'x', '>= 10'))
    }
  } finally {
    await engine.close()
    rmSync(directory, { recursive: true, force: true })
  }
  return figures
}

const asRequests = (typos: boolean) =>
  questions(480, typos).map((params) => ({
    method: 'POST' as const,
    path: '/1/indexes/products/query',
    headers: { 'content-type': 'text/plain', 'x-algolia-api-key': 'bench', 'x-algolia-application-id': 'bench' },
    body: JSON.stringify(params),
  }))

async function measureSize(folder: string, size: number, most: number, seconds: number): Promise<Figure[]> {
  const catalogue = join(folder, `products-${size}.jsonl`)
  writeCatalogue(catalogue, size)
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

  const served = await serve(directory, threads)
  figures.push(figure(`${name}, start from disk`, served.openMs, 'ms', isLarge ? '<= 5000' : null))
  const text = await load(served.origin, asRequests(false), { seconds, warmSeconds })
  figures.push(figure(`${name}, text with facets, 10 connections`, text.perSecond, 'requests/s'))
  figures.push(figure(`${name}, text with facets, 10 connections`, text.p99, 'ms p99', isLarge ? '<= 50' : '<= 20'))
  const typos = await load(served.origin, asRequests(true), { seconds, warmSeconds })
  figures.push(figure(`${name}, one typo per query`, typos.p99, 'ms p99', isLarge ? '<= 80' : null))
  figures.push(figure(`${name}, memory`, (await served.memory()).rssMb, 'MB', isLarge ? '<= 2500' : null))
  if (size === 100_000) figures.push(...(await measureUpdates(served, name, size, seconds)))
  else await served.stop()
  return figures
}

async function measureUpdates(served: Served, name: string, size: number, seconds: number): Promise<Figure[]> {
  // Slightly above the target rate, so that keeping up can be measured.
  served.startUpdates(1050, size)
  const text = await load(served.origin, asRequests(false), { seconds, warmSeconds })
  const { updates, ms } = await served.stop()
  const perSecond = (updates * 1000) / ms
  return [
    figure(`${name}, while it is updated`, perSecond, 'updates/s', '>= 1000'),
    figure(`${name}, while it is updated, 10 connections`, text.p99, 'ms p99', '<= 30'),
  ]
}

if (import.meta.main) {
  const sizes = process.argv.slice(2).map(Number)
  printTable(
    await run({
      ...(sizes.length > 0 ? { sizes, beside: false } : {}),
      ...(process.env.BENCH_FOLDER ? { folder: process.env.BENCH_FOLDER } : {}),
    }),
  )
}
