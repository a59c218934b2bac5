import type { ProductCard } from '@purlin/contract/product-card.ts'
import type { SiteScope } from '#platform'
import { reference, type Brand, type Category } from '#catalogue'
import { listProducts, showCarousels, type Listing } from '#listing'

export interface Hub {
  category: Category
  questions: Listing['facets']
  bestSellers: ProductCard[]
  deals: ProductCard[]
  brands: Brand[]
}

const shown = { questions: 3, values: 6, cards: 8, brands: 12 }
/** Facets that are no question about the goods: they stand in every category or have a place of their own. */
const everywhere = new Set(['brand', 'seller', 'delivery', 'condition', 'offers', 'rating', 'category'])

/** the way into a category: its parts, the questions that decide, what sells, what is reduced, who makes it. */
export async function showHub(scope: SiteScope, categoryId: number): Promise<Hub | null> {
  const { categories, brands } = await reference(scope)
  const category = categories.byId.get(categoryId)
  if (!category) return null
  const filter = [`categoryIds:${categoryId}`]
  const [listing, [bestSellers = [], deals = []]] = await Promise.all([
    listProducts(scope, { kind: 'category', id: categoryId, pageSize: 10 }),
    showCarousels(scope, [
      { filters: [filter], sort: 'popularity', size: shown.cards },
      { filters: [filter, [`dealOn:${scope.mode}`]], sort: 'discount', size: shown.cards },
    ]),
  ])
  const named = new Map([...brands.values()].map((brand) => [brand.name, brand]))
  const byCount = (values: Listing['facets'][number]['values']) => values.toSorted((a, b) => b.count - a.count)
  const brandFacet = listing.facets.find(({ key }) => key === 'brand')
  return {
    category,
    questions: listing.facets
      .filter(({ key, kind, values }) => kind === 'values' && !everywhere.has(key) && values.length > 1)
      .slice(0, shown.questions)
      .map((facet) => ({ ...facet, values: byCount(facet.values).slice(0, shown.values) })),
    bestSellers,
    deals,
    brands: byCount(brandFacet?.values ?? [])
      .flatMap(({ value }) => named.get(value) ?? [])
      .slice(0, shown.brands),
  }
}
