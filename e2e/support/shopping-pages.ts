import type { Page } from 'playwright-core'
import { queryShop } from './finding.ts'
import type { Visitor } from './visitor.ts'

interface Goods {
  home: { departments: { url: string; children: { url: string; children: { url: string }[] }[] }[]; brands: { url: string }[] }
  deals: { cards: { url: string; sellerId: number; modelsCount: number }[] }
}

/** One address of each kind of shopping page, found in the shop itself. */
export async function shoppingPages({ origin }: Pick<Visitor, 'origin'>): Promise<Record<string, string>> {
  const { home, deals } = await queryShop<Goods>(
    { origin },
    `{
      home { departments { url children { url children { url } } } brands { url } }
      deals: listing(input: { kind: deals, pageSize: 60 }) { cards { url sellerId modelsCount } }
    }`,
  )
  const department = home.departments[0]!
  const category = department.children[0] ?? department
  const product = deals.cards.find((card) => card.modelsCount > 1) ?? deals.cards[0]!
  return {
    home: '/',
    department: department.url,
    category: category.url,
    deals: '/great-deals',
    search: `/search/${encodeURIComponent('18 v')}`,
    'search-nothing': '/search/qqqxxxzzz',
    product: product.url,
    informations: `${product.url}/informations`,
    seller: `/seller-${product.sellerId}`,
    brand: home.brands[0]!.url,
    'not-found': '/there-is-nothing-here',
  }
}

export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
}
