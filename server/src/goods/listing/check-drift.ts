import { marketCodes, type Market } from '@purlin/contract/markets.ts'
import type { SearchDocument, SearchEngine } from '@purlin/search/types.ts'
import type { Db } from '#platform'
import { readProductIds, readProducts } from '#catalogue'
import { offersIndex, productsIndex, type ProductDocument } from './document.ts'
import { loadDocuments } from './load-documents.ts'
import { pageTags, sellerTags } from './reindex-products.ts'

export interface Drift {
  market: Market
  /** Documents of products and offers: in the database but not in the index. */
  missing: number
  /** In both but different. */
  stale: number
  /** In the index but sold by nobody. */
  surplus: number
}

export interface DriftContext {
  db: Db
  engine: SearchEngine
  now: Date
  /** False only reports. */
  repair?: boolean
}

/** Where a check continues; a full one begins with `{ phase: 'products', after: '0' }`. */
export type DriftPlace = { phase: 'products'; after: string } | { phase: 'documents' | 'offers'; cursor: string | null }
export const driftStart: DriftPlace = { phase: 'products', after: '0' }

export interface DriftPage {
  found: Omit<Drift, 'market'>
  /** Tags of pages that showed outdated documents. */
  tags: string[]
  next: DriftPlace | null
}

const pageSize = 200

/** One page of the comparison between index and database, repaired unless disabled. */
export function checkDriftPage(context: DriftContext, market: Market, place: DriftPlace): Promise<DriftPage> {
  return place.phase === 'products' ? checkProducts(context, market, place.after) : checkDocuments(context, market, place)
}

/** All markets, all pages. */
export async function checkDrift(context: DriftContext, wanted: readonly Market[] = marketCodes): Promise<Drift[]> {
  const drifts: Drift[] = []
  for (const market of wanted) {
    const drift: Drift = { market, missing: 0, stale: 0, surplus: 0 }
    for (let place: DriftPlace | null = driftStart; place;) {
      const page: DriftPage = await checkDriftPage(context, market, place)
      drift.missing += page.found.missing
      drift.stale += page.found.stale
      drift.surplus += page.found.surplus
      place = page.next
    }
    drifts.push(drift)
  }
  return drifts
}

/** From the database: whether each product and each offer is in its index, and up to date. */
async function checkProducts(context: DriftContext, market: Market, after: string): Promise<DriftPage> {
  const { db, now } = context
  const ids = await readProductIds(db, after, pageSize)
  const documents = await loadDocuments(db, market, await readProducts(db, ids), now)
  const products = await compare(context, productsIndex(market), documents.products)
  const offers = await compare(context, offersIndex(market), documents.offers)
  const last = ids.at(-1)
  return {
    found: { missing: products.missing + offers.missing, stale: products.stale + offers.stale, surplus: 0 },
    tags: [...new Set([...products.wrong.flatMap(pageTags), ...offers.wrong.flatMap(sellerTags)])],
    next: last && ids.length === pageSize ? { phase: 'products', after: last } : { phase: 'documents', cursor: null },
  }
}

async function compare(
  { engine, repair = true }: DriftContext,
  index: string,
  documents: readonly ProductDocument[],
): Promise<{ wrong: ProductDocument[]; missing: number; stale: number }> {
  const indexed = new Map<string, string>()
  for (const document of (await engine.getObjects(
    index,
    documents.map(({ objectID }) => objectID),
  )) as (ProductDocument | null)[])
    if (document) indexed.set(document.objectID, document.v)
  const wrong = documents.filter(({ objectID, v }) => indexed.get(objectID) !== v)
  const missing = wrong.filter(({ objectID }) => !indexed.has(objectID)).length
  if (repair && wrong.length > 0) await engine.upsert(index, wrong as unknown as SearchDocument[])
  return { wrong, missing, stale: wrong.length - missing }
}

/** From an index: whether each product, or each offer, is still sold. */
async function checkDocuments(
  { db, engine, now, repair = true }: DriftContext,
  market: Market,
  { phase, cursor }: Exclude<DriftPlace, { phase: 'products' }>,
): Promise<DriftPage> {
  const isOffers = phase === 'offers'
  const index = isOffers ? offersIndex(market) : productsIndex(market)
  const page = await engine.browse(index, { hitsPerPage: pageSize, ...(cursor ? { cursor } : {}) })
  const documents = page.hits as unknown as ProductDocument[]
  const productIds = new Set(documents.map(({ pimMasterProductId }) => pimMasterProductId))
  const loaded = await loadDocuments(db, market, await readProducts(db, [...productIds]), now)
  const sold = new Set((isOffers ? loaded.offers : loaded.products).map(({ objectID }) => objectID))
  const surplus = documents.filter(({ objectID }) => !sold.has(objectID))
  if (repair && surplus.length > 0)
    await engine.remove(
      index,
      surplus.map(({ objectID }) => objectID),
    )
  return {
    found: { missing: 0, stale: 0, surplus: surplus.length },
    tags: [...new Set(surplus.flatMap(isOffers ? sellerTags : pageTags))],
    next: nextPlace(phase, page.cursor ?? null),
  }
}

function nextPlace(phase: 'documents' | 'offers', cursor: string | null): DriftPlace | null {
  if (cursor !== null) return { phase, cursor }
  return phase === 'documents' ? { phase: 'offers', cursor: null } : null
}
