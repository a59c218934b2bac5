import { HomeDocument, type HomeQuery } from '../generated/documents.ts'
import { areLinked } from '../shell/linked-storefronts.ts'
import type { ShopContext } from '../shell/context.ts'

export type Home = HomeQuery['home']
export type HomeDepartment = Home['departments'][number]

/** Data of a home page; both storefronts request the same, each gets its own. */
export async function loadHome(context: ShopContext) {
  const { home, guides, banners, platformConfig } = await context.client.query(HomeDocument)
  return {
    data: { home, guides, banners, isLinked: areLinked(platformConfig) },
    canonical: '/',
    tags: ['content', ...[...home.deals, ...home.topSales, ...home.highlights].map(({ productId }) => `card:${productId}`)],
  }
}
