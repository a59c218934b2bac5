import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { marketCodes, markets, type Market } from '@purlin/contract/markets.ts'
import { product, type DemoProduct } from '@purlin/demo/index.ts'
import { openSearchEngine, type Synonym } from '@purlin/search'
import { reference } from '@purlin/server/goods/catalogue/index.ts'
import {
  connectSearch,
  listProducts,
  productSettings,
  productsIndex,
  queriesIndex,
  suggest,
  type Listing,
  type ListingInput,
  type Suggestions,
} from '@purlin/server/goods/listing/index.ts'
import { demoDocuments, demoSeed, referenceDb, titleSamplesOf } from './demo-documents.ts'

/** The lists of the demo shop, with documents, settings, synonyms and queries of the shop itself, and without a database. */
export interface ShopInMemory {
  list(market: Market, input: ListingInput): Promise<Listing>
  suggest(market: Market, typed: string): Promise<Suggestions>
  /** Number of models sold to consumers, of which a product fits. */
  countGroups(market: Market, fits: (product: DemoProduct) => boolean): number
  /** The product behind a card. */
  productOf(id: string): DemoProduct
  close(): Promise<void>
}

/** Opens the demo shop with this many products; only the markets named have an index. */
export async function shopInMemory(count: number, of: readonly Market[] = marketCodes): Promise<ShopInMemory> {
  const now = new Date()
  const directory = mkdtempSync(join(tmpdir(), 'shop-in-memory-'))
  const engine = await openSearchEngine({ directory })
  const made = Array.from({ length: count }, (_, index) => product(demoSeed, index))
  const db = referenceDb(now, () => titleSamplesOf(made))
  const catalogue = await reference({ db })
  connectSearch(engine)
  const sold = new Map<Market, Set<string>>()
  for (const market of of) {
    const documents = demoDocuments(market, made, now, catalogue)
    sold.set(market, new Set(documents.filter(({ storefronts }) => storefronts.includes('b2c')).map(({ objectID }) => objectID)))
    await engine.replaceAll(productsIndex(market), documents as never, productSettings(market, catalogue))
    await engine.replaceAll(queriesIndex(market), [], {})
    await engine.setSynonyms(productsIndex(market), synonymsOf(market), { replaceExisting: true })
  }
  const scopeOf = (market: Market) => ({ db, market, mode: 'b2c' as const, prefersVat: true, now, userToken: null })
  return {
    list: (market, input) => listProducts(scopeOf(market), input),
    suggest: (market, typed) => suggest(scopeOf(market), typed),
    countGroups: (market, fits) =>
      new Set(made.flatMap((one) => (sold.get(market)?.has(String(one.id)) && fits(one) ? (one.model?.id ?? `p${one.id}`) : []))).size,
    productOf: (id) => made[Number(id) - made[0]!.id]!,
    async close() {
      await engine.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function synonymsOf(market: Market): Synonym[] {
  const file = join(import.meta.dirname, '../../demo/data/synonyms', `${markets[market].language}.json`)
  return JSON.parse(readFileSync(file, 'utf8')) as Synonym[]
}
