import { marketCodes, type Market } from '@purlin/contract/markets.ts'
import { productsIndex, type ProductDocument } from './document.ts'
import { providerOf, type ListingScope } from './list-products.ts'
import { searchEngine } from './ports.ts'
import { searchClient } from './search-client.ts'

/**
 * The pages of a product in the markets where this storefront sells it: addresses that answer 200 (V-36). From the index of each
 * market, without SQL; an index that does not answer names nothing.
 */
export async function productAlternates(scope: Pick<ListingScope, 'mode'>, productId: string): Promise<{ market: Market; url: string }[]> {
  const client = searchClient(providerOf(searchEngine()))
  const found = await Promise.all(
    marketCodes.map(async (market) => {
      const answer = await client.productHistory(productsIndex(market), [productId])
      const [document] = answer.status === 0 ? [] : (answer.value as unknown as ProductDocument[])
      return document?.storefronts.includes(scope.mode) ? { market, url: document.url } : null
    }),
  )
  return found.filter((one) => one !== null)
}
