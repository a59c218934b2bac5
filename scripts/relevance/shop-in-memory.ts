import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { marketCodes, markets, type Market } from '@purlin/contract/markets.ts'
import { demoShop, demoSellers, demoVatRules, offersOf, product, type DemoProduct } from '@purlin/demo/index.ts'
import { dayOf, operationsOf } from '@purlin/demo/operations.ts'
import { openSearchEngine, type Synonym } from '@purlin/search'
import { reference, type Offer, type Product } from '@purlin/server/goods/catalogue/index.ts'
import {
  buildDocument,
  connectSearch,
  listProducts,
  productSettings,
  productsIndex,
  queriesIndex,
  suggest,
  type DocumentFacts,
  type Listing,
  type ListingInput,
  type Suggestions,
} from '@purlin/server/goods/listing/index.ts'
import type { Db } from '@purlin/server/foundation/platform/index.ts'

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

const seed = 42

/** Opens the demo shop with this many products; only the markets named have an index. */
export async function shopInMemory(count: number, of: readonly Market[] = marketCodes): Promise<ShopInMemory> {
  const now = new Date()
  const directory = mkdtempSync(join(tmpdir(), 'shop-in-memory-'))
  const engine = await openSearchEngine({ directory })
  const db = referenceDb(now)
  const catalogue = await reference({ db })
  const made = Array.from({ length: count }, (_, index) => product(seed, index))
  connectSearch(engine)
  const sold = new Map<Market, Set<string>>()
  for (const market of of) {
    const facts = factsOf(market, made, now, catalogue)
    const documents = made.flatMap((one) => (one.status === 'active' ? (buildDocument(asProduct(one), facts) ?? []) : []))
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

/** Answers the one statement that lists need: that of the reference data. */
function referenceDb(now: Date): Db {
  const tables = new Map(demoShop({ products: 0, now }).reference)
  const rows = (table: string) =>
    (tables.get(table) ?? []).map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
          value !== null && typeof value === 'object' && 'json' in value ? value.json : value,
        ]),
      ),
    )
  const answer = {
    categories: rows('catalogue.category'),
    brands: rows('catalogue.brand'),
    attributes: rows('catalogue.attribute'),
    words: rows('catalogue.attribute_word'),
    operations: rows('catalogue.commercial_operation'),
  }
  return { row: () => Promise.resolve(answer) } as unknown as Db
}

function factsOf(market: Market, made: readonly DemoProduct[], now: Date, catalogue: DocumentFacts['catalogue']): DocumentFacts {
  const setting = { seed, day: dayOf(now), operations: operationsOf(now) }
  const all = new Map(made.map((one) => [String(one.id), offersOf(one, setting).filter(({ status }) => status === 'active')]))
  const inMarket = [...all].map(([id, offers]) => [id, offers.filter((offer) => offer.market === market)] as const)
  const members = made.flatMap((one) =>
    one.model ? [{ modelId: String(one.model.id), id: String(one.id), markets: (all.get(String(one.id)) ?? []).map((o) => o.market) }] : [],
  )
  return {
    market,
    now,
    catalogue,
    rules: demoVatRules,
    sellers: new Map(demoSellers.map((seller) => [seller.id, { ...seller, isB2b: seller.b2b === true, status: 'active' as const }])),
    offers: new Map(
      inMarket.map(([id, offers]) => [
        id,
        offers.map(({ operationIds, ...offer }): Offer => ({
          ...offer,
          id: String(offer.id),
          productId: id,
          pimOfferId: String(offer.pimOfferId),
          commercialOperationIds: operationIds,
          createdAt: now,
        })),
      ]),
    ),
    history: new Map(),
    models: Map.groupBy(members, ({ modelId }) => modelId),
  }
}

function asProduct(made: DemoProduct): Product {
  return {
    ...made,
    id: String(made.id),
    articleId: String(made.articleId),
    modelId: made.model === null ? null : String(made.model.id),
    brandId: made.brand.id,
    categoryId: made.leaf.id,
    family: made.family.key,
    unitMeasure: made.unit?.measure ?? null,
    unitQuantityMilli: made.unit?.quantityMilli ?? null,
    pictures: made.pictures,
    successorId: made.successorId === null ? null : String(made.successorId),
    createdAt: new Date(),
    updatedAt: new Date(),
  }
}
