import type { ProductCard } from '@purlin/contract/product-card.ts'
import type { SiteScope } from '#platform'
import { categoryPictureUrl, reference, type Brand, type Category } from '#catalogue'
import { listProducts, showCarousels, type Carousel, type Listing } from '#listing'

export interface Hub {
  category: Category
  parts: { category: Category; pictureUrl: string }[]
  questions: Listing['facets']
  bestSellers: ProductCard[]
  deals: ProductCard[]
  brands: Brand[]
}

const shown = { questions: 3, answers: 6, cards: 8, brands: 12 }
/** More answers than this, and it is a measure to filter by, not a question to begin with. */
const answersMax = 8
/** Facets that do not distinguish products: they exist in every category or have a place of their own. */
const everywhere = new Set(['brand', 'seller', 'delivery', 'condition', 'offers', 'rating', 'category'])
/** Where colour decides; elsewhere it is the maker's. */
const colourful = new Set(['paint', 'decor', 'furniture', 'flooring', 'bathroom'])

/** entry page of a category: its subcategories, key questions, best sellers, deals, brands. */
export async function showHub(scope: SiteScope, categoryId: number): Promise<Hub | null> {
  const { categories, brands } = await reference(scope)
  const category = categories.byId.get(categoryId)
  if (!category) return null
  const filter = [`categoryIds:${categoryId}`]
  const [listing, [bestSellers = [], deals = [], ...ofParts]] = await Promise.all([
    listProducts(scope, { kind: 'category', id: categoryId, pageSize: 10 }),
    showCarousels(scope, [
      { filters: [filter], sort: 'popularity', size: shown.cards },
      { filters: [filter, [`dealOn:${scope.mode}`]], sort: 'discount', size: shown.cards },
      ...category.children.map(({ id }): Carousel => ({ filters: [[`categoryIds:${id}`]], sort: 'popularity', size: 1 })),
    ]),
  ])
  const named = new Map([...brands.values()].map((brand) => [brand.name, brand]))
  return {
    category,
    parts: category.children.map((part, at) => ({
      category: part,
      pictureUrl: ofParts[at]?.[0]?.imageFullpath ?? categoryPictureUrl(part.department),
    })),
    questions: questionsOf(listing, category),
    bestSellers,
    deals,
    brands: byCount(listing.facets.find(({ key }) => key === 'brand')?.values ?? [])
      .flatMap(({ value }) => named.get(value) ?? [])
      .slice(0, shown.brands),
  }
}

function questionsOf({ facets }: Listing, { department }: Category): Listing['facets'] {
  const candidates = facets.filter(
    ({ key, kind, values }) =>
      kind === 'values' && !everywhere.has(key) && (key !== 'color' || colourful.has(department)) && values.length > 1,
  )
  const few = candidates.filter(({ values }) => values.length <= answersMax)
  const many = candidates.filter(({ values }) => values.length > answersMax)
  return [...few, ...many].slice(0, shown.questions).map((facet) => ({ ...facet, values: byCount(facet.values).slice(0, shown.answers) }))
}

function byCount(values: Listing['facets'][number]['values']) {
  return values.toSorted((a, b) => b.count - a.count)
}
