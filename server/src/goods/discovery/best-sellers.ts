import type { ProductCard } from '@purlin/contract/product-card.ts'
import type { SiteScope } from '#platform'
import { reference, type Category } from '#catalogue'
import { showCarousels, type Carousel } from '#listing'

export interface BestSellers {
  category: Category
  products: ProductCard[]
}

/** Cards of a department on the page of all, and of a category on its own. */
export const bestSellerCounts = { ofDepartment: 5, ofCategory: 48 }

const ofCategory = (id: number, size: number): Carousel => ({ filters: [[`categoryIds:${id}`]], sort: 'popularity', size })

/** best sellers of every department with products on this storefront. One round trip to the engine. */
export async function bestSellers(scope: SiteScope): Promise<BestSellers[]> {
  const { categories } = await reference(scope)
  const carousels = categories.departments.map(({ id }) => ofCategory(id, bestSellerCounts.ofDepartment))
  const rows = await showCarousels(scope, carousels)
  return categories.departments
    .map((category, at) => ({ category, products: rows[at] ?? [] }))
    .filter(({ products }) => products.length > 0)
}

/** best sellers of a category; null for an unknown category. */
export async function bestSellersOf(scope: SiteScope, categoryId: number): Promise<BestSellers | null> {
  const category = (await reference(scope)).categories.byId.get(categoryId)
  if (!category) return null
  const [products = []] = await showCarousels(scope, [ofCategory(categoryId, bestSellerCounts.ofCategory)])
  return { category, products }
}
