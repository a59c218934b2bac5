import type { SiteScope } from '#platform'
import { reference, type Category } from '#catalogue'
import { popularQueries, type PopularQuery } from '#listing'

export interface PopularQueries {
  category: Category
  queries: PopularQuery[]
}

const shown = { ofDepartment: 12, ofCategory: 120 }

/** the product types with the largest choice, by department. */
export async function popularByDepartment(scope: SiteScope): Promise<PopularQueries[]> {
  const { departments } = (await reference(scope)).categories
  const ids = departments.map(({ id }) => id)
  const rows = await popularQueries(scope, ids, shown.ofDepartment)
  return departments.map((category, at) => ({ category, queries: rows[at] ?? [] })).filter(({ queries }) => queries.length > 0)
}

/** the same for one category; null where there is no such category. */
export async function popularInCategory(scope: SiteScope, categoryId: number): Promise<PopularQueries | null> {
  const category = (await reference(scope)).categories.byId.get(categoryId)
  if (!category) return null
  const [queries = []] = await popularQueries(scope, [categoryId], shown.ofCategory)
  return { category, queries }
}
