import { marketCodes, type Market } from '@purlin/contract/markets.ts'
import type { SearchDocument, SearchEngine } from '@purlin/search/types.ts'
import type { Db } from '#platform'
import { readProductIds, readProducts } from '#catalogue'
import { productsIndex, type ProductDocument } from './document.ts'
import { loadDocuments } from './load-documents.ts'
import { pageTags } from './reindex-products.ts'

export interface Drift {
  market: Market
  /** In the database but not in the index. */
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
export type DriftPlace = { phase: 'products'; after: string } | { phase: 'documents'; cursor: string | null }
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
  return place.phase === 'products' ? checkProducts(context, market, place.after) : checkDocuments(context, market, place.cursor)
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

/** From the database: is each product in the index, and up to date? */
async function checkProducts({ db, engine, now, repair = true }: DriftContext, market: Market, after: string): Promise<DriftPage> {
  const index = productsIndex(market)
  const ids = await readProductIds(db, after, pageSize)
  const documents = await loadDocuments(db, market, await readProducts(db, ids), now)
  const indexed = new Map<string, string>()
  for (const document of (await engine.getObjects(index, ids)) as (ProductDocument | null)[])
    if (document) indexed.set(document.objectID, document.v)
  const wrong = documents.filter(({ objectID, v }) => indexed.get(objectID) !== v)
  const missing = wrong.filter(({ objectID }) => !indexed.has(objectID)).length
  if (repair && wrong.length > 0) await engine.upsert(index, wrong as unknown as SearchDocument[])
  const last = ids.at(-1)
  return {
    found: { missing, stale: wrong.length - missing, surplus: 0 },
    tags: [...new Set(wrong.flatMap(pageTags))],
    next: last && ids.length === pageSize ? { phase: 'products', after: last } : { phase: 'documents', cursor: null },
  }
}

/** From the index: is each product still sold? */
async function checkDocuments({ db, engine, now, repair = true }: DriftContext, market: Market, cursor: string | null): Promise<DriftPage> {
  const index = productsIndex(market)
  const page = await engine.browse(index, { hitsPerPage: pageSize, ...(cursor ? { cursor } : {}) })
  const documents = page.hits as unknown as ProductDocument[]
  const products = await readProducts(
    db,
    documents.map(({ objectID }) => objectID),
  )
  const sold = new Set((await loadDocuments(db, market, products, now)).map(({ objectID }) => objectID))
  const surplus = documents.filter(({ objectID }) => !sold.has(objectID))
  if (repair && surplus.length > 0)
    await engine.remove(
      index,
      surplus.map(({ objectID }) => objectID),
    )
  return {
    found: { missing: 0, stale: 0, surplus: surplus.length },
    tags: [...new Set(surplus.flatMap(pageTags))],
    next: page.cursor ? { phase: 'documents', cursor: page.cursor } : null,
  }
}
