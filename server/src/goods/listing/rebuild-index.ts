import { marketCodes, markets, type Market } from '@purlin/contract/markets.ts'
import type { SearchDocument, SearchEngine } from '@purlin/search/types.ts'
import type { Db } from '#platform'
import { forgetReference, inLanguage, reference, type Reference } from '#catalogue'
import { forgetVatRules } from '#pricing'
import { forgetSellers } from '#sellers'
import { productsIndex, queriesIndex, type ProductDocument } from './document.ts'
import { productSettings, querySettings } from './index-settings.ts'
import { allDocuments } from './load-documents.ts'

/** Raised when unchanged rows make other documents than before: an index of an older version is built anew. */
export const documentsVersion = 2

export interface RebuildOptions {
  /** Without statement limits: pages of products are read one after the other for as long as it takes. */
  db: Db
  engine: SearchEngine
  markets?: readonly Market[]
  now?: Date
  progress?: (market: Market, done: number) => void
}

/** Builds the indexes anew beside the old ones, streamed; answers how many products each market sells. */
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
    const counts = new Map<string, number>()
    const documents = counted(allDocuments(db, market, now), counts)
    const done = await engine.replaceAll(productsIndex(market), documents, productSettings(market, catalogue), (n) => progress?.(market, n))
    await engine.replaceAll(queriesIndex(market), proposedQueries(market, catalogue, counts), querySettings(market))
    built[market] = done.documents
  }
  return built
}

async function* counted(documents: AsyncIterable<ProductDocument>, counts: Map<string, number>): AsyncGenerator<SearchDocument> {
  const more = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1)
  for await (const document of documents) {
    for (const id of document.categoryIds) more(`c${id}`)
    more(`b${document.brandId}`)
    more(`${document.categoryIds.at(-1)}:${document.brandId}`)
    const kind = kindOf(document.defaultTitle)
    if (kind) more(`t${kind}`)
    yield document as unknown as SearchDocument
  }
}

/** Fewer goods than this, and a query of brand and category is not worth proposing. */
const worthProposing = 3

/**
 * What a title calls the thing, before its measures begin: "Cordless combi drill 18 V …" is a cordless
 * combi drill. Titles start so in all five languages.
 */
export function kindOf(title: string): string | null {
  const head = /^[^\d,([–-]*(?:-\p{L}[^\d,([–-]*)*/u.exec(title)?.[0].trim().toLowerCase()
  return head && head.length >= 3 && head.length <= 60 ? head : null
}

/** Queries that find something: kinds of goods, names of categories, of brands, and brands within a category. */
function* proposedQueries(
  market: Market,
  { categories, brands }: Reference,
  counts: ReadonlyMap<string, number>,
): Generator<SearchDocument> {
  const { language } = markets[market]
  for (const [key, popularity] of counts) {
    if (key.startsWith('t')) {
      if (popularity >= worthProposing) yield { objectID: key, query: key.slice(1), popularity }
      continue
    }
    const [, kind, first, second] = /^([cb]?)(\d+)(?::(\d+))?$/.exec(key) ?? []
    const category = kind === 'b' ? undefined : categories.byId.get(Number(first))
    const brand = kind === 'b' ? brands.get(Number(first)) : brands.get(Number(second))
    if (second !== undefined && (popularity < worthProposing || !brand)) continue
    const query = [category && inLanguage(category.names, language), brand?.name].filter(Boolean).join(' ').toLowerCase()
    if (query) yield { objectID: key, query, popularity }
  }
}
