import { marketCodes, markets } from '@purlin/contract/markets.ts'
import { boundedCache, type SiteScope } from '#platform'
import type { ProductSheet } from './product.ts'
import { readProductSheet } from './store.ts'

const maxBigint = 9_223_372_036_854_775_807n

/**
 * The pages of a popular product are the same for everybody. A purge of its tag makes a change visible at once; this
 * bounds the delay if a purge is late. Each takes seven kilobytes. Cart and checkout never read from this cache.
 */
const keptMs = 3_000
const kept = boundedCache<{ sheet: Promise<ProductSheet | null>; until: number }>(150)

/**
 * A product with its offers in the viewer's market, on sale or not, current or ended. Null for an unknown id.
 * One statement, none if it is cached; the result is shared and must not be modified.
 */
export async function findProduct(scope: Pick<SiteScope, 'db' | 'market'>, id: string): Promise<ProductSheet | null> {
  if (!isProductId(id)) return null
  const { market } = scope
  const key = `${market}:${id}`
  const now = Date.now()
  const known = kept.get(key)
  if (known && known.until > now) return known.sheet
  const asked = { sheet: readProductSheet(scope.db, id, market, markets[market].language), until: now + keptMs }
  kept.set(key, asked)
  asked.sheet.catch(() => kept.get(key) === asked && kept.delete(key))
  return asked.sheet
}

/** Call after products changed: with their purge tags (`product:7`), or null for all. */
export function forgetProducts(tags: readonly string[] | null): void {
  if (!tags) return kept.clear()
  for (const tag of tags) {
    if (tag.startsWith('product:')) for (const market of marketCodes) kept.delete(`${market}:${tag.slice('product:'.length)}`)
  }
}

/** Addresses may contain any digits; only ids the column can hold are looked up. */
function isProductId(id: string): boolean {
  return /^[1-9][0-9]{0,18}$/.test(id) && BigInt(id) <= maxBigint
}
