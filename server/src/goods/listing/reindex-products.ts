import { marketCodes, type Market } from '@purlin/contract/markets.ts'
import type { SearchDocument, SearchEngine } from '@purlin/search/types.ts'
import type { Db } from '#platform'
import { readModelIds, readModelMembers, readProducts } from '#catalogue'
import { offersIndex, productsIndex, type ProductDocument } from './document.ts'
import { loadDocuments } from './load-documents.ts'

/**
 * Brings the documents of products, of their model siblings and of the offers of both in line with the database.
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
    const [documents, before] = await Promise.all([
      loadDocuments(db, market, products, now),
      engine.getObjects(productsIndex(market), ids) as Promise<(ProductDocument | null)[]>,
    ])
    const offerIds = [...documents.products, ...before].flatMap((document) => document?.offerIds ?? [])
    const offersBefore = (await engine.getObjects(offersIndex(market), [...new Set(offerIds)])) as (ProductDocument | null)[]
    const changed = await bringInLine(engine, productsIndex(market), documents.products, before)
    const offersChanged = await bringInLine(engine, offersIndex(market), documents.offers, offersBefore)
    for (const tag of [...changed.flatMap(pageTags), ...offersChanged.flatMap(sellerTags)]) tags.add(tag)
  }
  return [...tags]
}

/** Replaces an index's documents by the current ones; returns those that differed, as they were and as they are. */
async function bringInLine(
  engine: SearchEngine,
  index: string,
  documents: readonly ProductDocument[],
  before: readonly (ProductDocument | null)[],
): Promise<ProductDocument[]> {
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
  return [...changed, ...changed.flatMap(({ objectID }) => known.get(objectID) ?? []), ...gone]
}

/** Cached pages that show a product, or would: its own, those with its card, and its listings. */
export function pageTags(
  document: Pick<ProductDocument, 'pimMasterProductId' | 'categoryIds' | 'brandId' | 'sellerIds' | 'commercialOperationIds' | 'dealOn'>,
): string[] {
  return [
    `product:${document.pimMasterProductId}`,
    `card:${document.pimMasterProductId}`,
    ...document.categoryIds.map((id) => `category:${id}`),
    `brand:${document.brandId}`,
    ...sellerTags(document),
    ...document.commercialOperationIds.map((id) => `operation:${id}`),
    ...(document.dealOn.length > 0 ? ['deals'] : []),
  ]
}

/** Only the page of its seller shows an offer that has not won the buy box. */
export function sellerTags({ sellerIds }: Pick<ProductDocument, 'sellerIds'>): string[] {
  return sellerIds.map((id) => `seller:${id}`)
}
