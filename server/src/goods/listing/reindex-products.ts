import { marketCodes, type Market } from '@purlin/contract/markets.ts'
import type { SearchDocument, SearchEngine } from '@purlin/search/types.ts'
import type { Db } from '#platform'
import { readModelIds, readModelMembers, readProducts } from '#catalogue'
import { productsIndex, type ProductDocument } from './document.ts'
import { loadDocuments } from './load-documents.ts'

/**
 * Brings the documents of products, and of their model siblings, in line with the database.
 * Documents that are up to date are not touched, so that caches keyed by the index version survive.
 * @returns tags of the pages that show the changes
 */
export async function reindexProducts(
  { db, engine, now }: { db: Db; engine: SearchEngine; now: Date },
  productIds: readonly string[],
  wanted: readonly Market[] = marketCodes,
): Promise<string[]> {
  const members = await readModelMembers(db, await readModelIds(db, productIds))
  const ids = [...new Set([...productIds, ...members.map(({ id }) => id)])]
  const products = await readProducts(db, ids)

  const tags = new Set<string>()
  for (const market of wanted) {
    const index = productsIndex(market)
    const [documents, before] = await Promise.all([
      loadDocuments(db, market, products, now),
      engine.getObjects(index, ids) as Promise<(ProductDocument | null)[]>,
    ])
    const known = new Map(before.flatMap((document) => (document ? [[document.objectID, document]] : [])))
    const changed = documents.filter(({ objectID, v }) => known.get(objectID)?.v !== v)
    const current = new Set(documents.map(({ objectID }) => objectID))
    const gone = [...known.values()].filter(({ objectID }) => !current.has(objectID))
    if (changed.length > 0) await engine.upsert(index, changed as unknown as SearchDocument[])
    if (gone.length > 0)
      await engine.remove(
        index,
        gone.map(({ objectID }) => objectID),
      )
    for (const document of [...changed, ...changed.flatMap(({ objectID }) => known.get(objectID) ?? []), ...gone]) {
      for (const tag of pageTags(document)) tags.add(tag)
    }
  }
  return [...tags]
}

/** Cached pages that show a product, or would: its own, those with its card, and its listings. */
export function pageTags(
  document: Pick<ProductDocument, 'objectID' | 'categoryIds' | 'brandId' | 'sellerIds' | 'commercialOperationIds' | 'dealOn'>,
): string[] {
  return [
    `product:${document.objectID}`,
    `card:${document.objectID}`,
    ...document.categoryIds.map((id) => `category:${id}`),
    `brand:${document.brandId}`,
    ...document.sellerIds.map((id) => `seller:${id}`),
    ...document.commercialOperationIds.map((id) => `operation:${id}`),
    ...(document.dealOn.length > 0 ? ['deals'] : []),
  ]
}
