import { marketCodes, markets, type Market, type Mode } from '@purlin/contract/markets.ts'
import { slugOf } from '@purlin/contract/path-helper.ts'
import type { SearchDocument, SearchEngine } from '@purlin/search/types.ts'
import type { Db } from '#platform'
import { forgetReference, inLanguage, reference, type Reference } from '#catalogue'
import { forgetVatRules } from '#pricing'
import { forgetSellers } from '#sellers'
import { offersIndex, productsIndex, queriesIndex, type ProductDocument } from './document.ts'
import { offerSettings, productSettings, querySettings } from './index-settings.ts'
import { inStep } from './in-step.ts'
import { allDocuments, type Documents } from './load-documents.ts'

/** Raise when unchanged rows yield different documents: an index of an older version is rebuilt. */
export const documentsVersion = 8

export interface RebuildOptions {
  /** Without statement timeouts: products are read page by page for as long as it takes. */
  db: Db
  engine: SearchEngine
  markets?: readonly Market[]
  now?: Date
  progress?: (market: Market, done: number) => void
}

/** Rebuilds the indexes next to the old ones, streaming; returns the number of products sold in each market. */
export async function rebuildIndex({
  db,
  engine,
  markets: wanted = marketCodes,
  now = new Date(),
  progress,
}: RebuildOptions): Promise<Record<string, number>> {
  forgetReference()
  forgetSellers()
  forgetVatRules()
  const catalogue = await reference({ db })
  const built: Record<string, number> = {}
  for (const market of wanted) {
    const counts: Counts = new Map()
    const [products, offers] = inStep(allDocuments(db, market, now))
    const [done] = await Promise.all([
      engine
        .replaceAll(productsIndex(market), counted(productsOf(products.items), counts), productSettings(market, catalogue), (n) =>
          progress?.(market, n),
        )
        .finally(products.leave),
      engine.replaceAll(offersIndex(market), offersOf(offers.items), offerSettings(market, catalogue)).finally(offers.leave),
    ])
    await engine.replaceAll(queriesIndex(market), proposedQueries(market, catalogue, counts), querySettings(market))
    built[market] = done.documents
  }
  return built
}

async function* productsOf(pages: AsyncIterable<Documents>): AsyncGenerator<ProductDocument> {
  for await (const { products } of pages) yield* products
}

async function* offersOf(pages: AsyncIterable<Documents>): AsyncGenerator<SearchDocument> {
  for await (const { offers } of pages) yield* offers as unknown as SearchDocument[]
}

/** Number of hits of a query, the storefronts they are on, and the categories of the first ones. */
interface Count {
  goods: number
  storefronts: Set<Mode>
  categoryIds: readonly number[]
  /** As the title of the first of them writes it. */
  label: string
}
type Counts = Map<string, Count>

async function* counted(documents: AsyncIterable<ProductDocument>, counts: Counts): AsyncGenerator<SearchDocument> {
  for await (const document of documents) {
    const { categoryIds, storefronts } = document
    const more = (key: string, within = categoryIds, label = ''): void => {
      const count = counts.get(key) ?? { goods: 0, storefronts: new Set(), categoryIds: within, label }
      count.goods += 1
      for (const mode of storefronts) count.storefronts.add(mode)
      counts.set(key, count)
    }
    for (const [depth, id] of categoryIds.entries()) more(`c${id}`, categoryIds.slice(0, depth + 1))
    more(`b${document.brandId}`, [])
    more(`${categoryIds.at(-1)}:${document.brandId}`)
    const kind = kindOf(document.defaultTitle)
    if (kind) more(`t${kind.toLowerCase()}`, categoryIds, kind)
    yield document as unknown as SearchDocument
  }
}

/** Minimum number of products for a query of brand and category to be suggested. */
const worthProposing = 3

/**
 * The product type in a title, before the measurements: "Cordless combi drill 18 V …" is a cordless
 * combi drill, "Flexible tile adhesive C2TE" a flexible tile adhesive. Titles begin this way in all five languages.
 */
export function kindOf(title: string): string | null {
  const head = /^[^\d,([–-]*(?:-(?:\p{L}| (?:und|oder) )[^\d,([–-]*)*/u
    .exec(title)?.[0]
    .trim()
    .replace(/(?: \p{L})?[^\p{L}]*$/u, '')
  return head && head.length >= 3 && head.length <= 60 ? head : null
}

/** Queries with results: product types, names of categories and brands, and brands within a category. */
function* proposedQueries(
  market: Market,
  { categories, brands }: Reference,
  counts: ReadonlyMap<string, Count>,
): Generator<SearchDocument> {
  const { language } = markets[market]
  const named = new Set(categories.all.map(({ names }) => inLanguage(names, language).toLowerCase()))
  const proposal = (key: string, label: string, { goods, storefronts, categoryIds }: Count): SearchDocument => ({
    objectID: key,
    query: label.toLowerCase(),
    label,
    slug: slugOf(label),
    // A category's name already has a page.
    hasLanding: categoryIds.length > 0 && !named.has(label.toLowerCase()),
    popularity: goods,
    storefronts: [...storefronts],
    categoryIds: [...categoryIds],
  })
  for (const [key, count] of counts) {
    const { goods } = count
    if (key.startsWith('t')) {
      if (goods >= worthProposing) yield proposal(key, count.label, count)
      continue
    }
    const [, kind, first, second] = /^([cb]?)(\d+)(?::(\d+))?$/.exec(key) ?? []
    const category = kind === 'b' ? undefined : categories.byId.get(Number(first))
    const brand = kind === 'b' ? brands.get(Number(first)) : brands.get(Number(second))
    if (second !== undefined && (goods < worthProposing || !brand)) continue
    const label = [category && inLanguage(category.names, language), brand?.name].filter(Boolean).join(' ')
    if (label) yield proposal(key, label, count)
  }
}
