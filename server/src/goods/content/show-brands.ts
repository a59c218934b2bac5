import { markets } from '@purlin/contract/markets.ts'
import type { SiteScope } from '#platform'
import { reference, type Brand } from '#catalogue'
import { countByBrand } from '#listing'

/** Brands with products on a storefront, by name; all brands while the search engine is unavailable. */
export async function showBrands(scope: SiteScope): Promise<Brand[]> {
  const [{ brands }, counts] = await Promise.all([reference(scope), countByBrand(scope)])
  const { compare } = new Intl.Collator(markets[scope.market].locale)
  return [...brands.values()].filter(({ name }) => counts?.has(name) ?? true).toSorted((a, b) => compare(a.name, b.name))
}
