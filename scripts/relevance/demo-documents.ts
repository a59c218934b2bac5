import type { Market } from '@purlin/contract/markets.ts'
import { demoShop, demoSellers, demoVatRules, offersOf, type DemoProduct } from '@purlin/demo/index.ts'
import { dayOf, operationsOf } from '@purlin/demo/operations.ts'
import type { Offer, Product, Reference } from '@purlin/server/goods/catalogue/index.ts'
import { buildDocument, type DocumentFacts, type ProductDocument } from '@purlin/server/goods/listing/index.ts'
import type { Db } from '@purlin/server/foundation/platform/index.ts'

export const demoSeed = 42

export interface TitleSample {
  categoryId: number
  titles: DemoProduct['titles']
}

export const titleSamplesOf = (made: readonly DemoProduct[]): TitleSample[] =>
  made.map(({ leaf, titles }) => ({ categoryId: leaf.id, titles }))

/** The shop's documents of generated products in a market, without a database; all products of a model must be among them. */
export function demoDocuments(market: Market, made: readonly DemoProduct[], now: Date, catalogue: Reference): ProductDocument[] {
  const facts = factsOf(market, made, now, catalogue)
  return made.flatMap((one) => (one.status === 'active' ? (buildDocument(asProduct(one), facts) ?? []) : []))
}

/** Answers the two statements that lists need: those of the reference data and of titles per category. */
export function referenceDb(now: Date, titles: () => readonly TitleSample[]): Db {
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
  return { row: () => Promise.resolve(answer), rows: () => Promise.resolve(titles()) } as unknown as Db
}

function factsOf(market: Market, made: readonly DemoProduct[], now: Date, catalogue: Reference): DocumentFacts {
  const setting = { seed: demoSeed, day: dayOf(now), operations: operationsOf(now) }
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
