import { marketCodes, markets } from '@purlin/contract/markets.ts'
import { boundedCache, type SiteScope } from '#platform'
import type { ProductSheet } from './product.ts'
import { readProductSheet } from './store.ts'

const maxBigint = 9_223_372_036_854_775_807n

/**
 * Pages of a product that many look at are the same for all of them. A purge of its tag makes a change
 * visible at once; this bounds what a late one can cost. Cart and checkout never read from here.
 */
const keptMs = 3_000
const kept = boundedCache<{ sheet: Promise<ProductSheet | null>; until: number }>(2_000)

/**
 * A product with its offers in the viewer's market, sold or not, current or ended. Null for an unknown id.
 * One statement, none when somebody asked a moment ago; the answer is shared and must not be changed.
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

/** After products changed: their purge tags (`product:7`), or null for all. */
export function forgetProducts(tags: readonly string[] | null): void {
  if (!tags) return kept.clear()
  for (const tag of tags) {
    if (tag.startsWith('product:')) for (const market of marketCodes) kept.delete(`${market}:${tag.slice('product:'.length)}`)
  }
}

/** Addresses bring any digits; only what the column can hold is asked for. */
function isProductId(id: string): boolean {
  return /^[1-9][0-9]{0,18}$/.test(id) && BigInt(id) <= maxBigint
}
