import type { ProductCard } from '@purlin/contract/product-card.ts'
import { UnavailableError, type SiteScope } from '#platform'
import { reference, type Category } from '#catalogue'
import { listProducts, popularQueries, queryOfSlug, type PopularQuery } from '#listing'

export interface Inspiration extends Pick<PopularQuery, 'query' | 'label'> {
  category: Category
  total: number
  looks: { value: string; label: string; hex: string | null; count: number; cards: ProductCard[] }[]
}

/** Departments in which people choose by looks. */
const looked = new Set(['paint', 'decor', 'furniture', 'flooring', 'bathroom', 'kitchen', 'lighting', 'garden'])
const shown = { ofDepartment: 12, looks: 5, cards: 4 }

async function byDepartment(scope: SiteScope): Promise<{ category: Category; queries: PopularQuery[] }[]> {
  const departments = (await reference(scope)).categories.departments.filter(({ department }) => looked.has(department))
  const rows = await popularQueries(
    scope,
    departments.map(({ id }) => id),
    shown.ofDepartment,
  )
  return departments.map((category, at) => ({ category, queries: rows[at] ?? [] }))
}

/** Queries with an inspirational landing page: a product type of two departments once. */
export async function inspirations(scope: SiteScope): Promise<PopularQuery[]> {
  const rows = await byDepartment(scope)
  return [...new Map(rows.flatMap(({ queries }) => queries).map((query) => [query.slug, query])).values()]
}

/**
 * The page of a slug: its products by colour, the most common colours first. Null for a slug without such a page.
 * @throws UnavailableError while the search engine is unavailable: that is not a missing page
 */
export async function showInspiration(scope: SiteScope, slug: string): Promise<Inspiration | null> {
  const rows = await byDepartment(scope)
  const row = rows.find(({ queries }) => queries.some((query) => query.slug === slug))
  const found = row?.queries.find((query) => query.slug === slug)
  if (!row || !found) {
    await queryOfSlug(scope, slug)
    return null
  }
  const { query, label } = found
  const listing = await listProducts(scope, { kind: 'search', query, pageSize: 10 })
  if (!listing.available) throw new UnavailableError('the search engine is unavailable')
  const colors = (listing.facets.find(({ key }) => key === 'color')?.values ?? [])
    .toSorted((a, b) => b.count - a.count)
    .slice(0, shown.looks)
  const ofColor = await Promise.all(
    colors.map(({ value }) => listProducts(scope, { kind: 'search', query, filters: [{ key: 'color', values: [value] }], pageSize: 10 })),
  )
  const looks = colors.map(({ value, label: name, hex, count }, at) => ({
    value,
    label: name,
    hex: hex ?? null,
    count,
    cards: (ofColor[at]?.cards ?? []).slice(0, shown.cards),
  }))
  const all = { value: '', label: '', hex: null, count: listing.total, cards: listing.cards.slice(0, 2 * shown.cards) }
  return { query, label, category: row.category, total: listing.total, looks: looks.length > 0 ? looks : [all] }
}
