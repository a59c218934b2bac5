import type { ProductCard } from '@purlin/contract/product-card.ts'
import type { SiteScope } from '#platform'
import { reference, type Brand, type Category } from '#catalogue'
import { showCarousels, type Carousel } from '#listing'

/** Sizes of the rows and how long a product is new. Source: spec §9, decision 12. */
export const carouselSizes = { deals: 9, topSales: 8, fewest: 4 }
export const newForDays = 7

const brandsShown = 12
const daySeconds = 86_400

export interface Home {
  departments: Category[]
  deals: ProductCard[]
  topSales: ProductCard[]
  highlights: ProductCard[]
  brands: Brand[]
}

/** The home page: departments and brands from memory, three rows of products from the index. No SQL once these are cached. */
export async function showHome(scope: SiteScope): Promise<Home> {
  const { categories, brands } = await reference(scope)
  const [deals = [], topSales = [], highlights = [], fallback = []] = await showCarousels(scope, [
    { filters: [[`dealOn:${scope.mode}`]], sort: 'discount', size: carouselSizes.deals },
    { filters: [['isTopSale:true']], sort: 'popularity', size: carouselSizes.topSales },
    ...highlightRows(scope),
  ])
  return {
    departments: categories.departments,
    deals,
    topSales,
    // A row with a single card looks like an empty shop: then the latest products are shown, however old.
    highlights: highlights.length >= carouselSizes.fewest ? highlights : fallback,
    brands: [...brands.values()].toSorted((a, b) => a.tier - b.tier || a.id - b.id).slice(0, brandsShown),
  }
}

/** Products with pro conditions on a professional storefront, new ones on the consumer storefront; and the fallback if there are too few. */
function highlightRows({ mode, now }: SiteScope): Carousel[] {
  const size = carouselSizes.topSales
  if (mode === 'b2b')
    return [
      { filters: [['hasProConditions:true']], sort: 'popularity', size },
      { filters: [], sort: 'popularity', size },
    ]
  // Rounded to the day, so that the home page is the same for everybody all day.
  const from = Math.floor(now.getTime() / 1000 / daySeconds - newForDays) * daySeconds
  return [
    { filters: [], numericFilters: [`createdAtS >= ${from}`], sort: 'newest', size },
    { filters: [], sort: 'newest', size },
  ]
}
