import { marketCodes, type Market, type Mode } from '@purlin/contract/markets.ts'
import { productsIndex, type ProductDocument } from './document.ts'
import type { ListingScope } from './list-products.ts'
import { searchEngine } from './ports.ts'

/**
 * The page, in each market where this storefront sells any of these products, of the first one it sells: addresses that
 * return 200 (V-36). Documents are read by id from each market's index, without a search and without SQL; an index that
 * cannot be read names nothing.
 */
export async function productAlternates(
  scope: Pick<ListingScope, 'mode'>,
  productIds: readonly string[],
): Promise<{ market: Market; url: string }[]> {
  const found = await Promise.all(
    marketCodes.map(async (market) => {
      const url = await firstSold(productsIndex(market), scope.mode, productIds)
      return url === null ? null : { market, url }
    }),
  )
  return found.filter((one) => one !== null)
}

/** One document after the other: nearly always the first is sold, and each one read is parsed. */
async function firstSold(index: string, mode: Mode, productIds: readonly string[]): Promise<string | null> {
  const engine = searchEngine()
  for (const id of productIds) {
    const [document] = (await engine.getObjects(index, [id]).catch(() => [])) as (ProductDocument | null)[]
    if (document?.storefronts.includes(mode)) return document.url
  }
  return null
}
