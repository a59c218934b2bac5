import type { Language } from '@purlin/contract/markets.ts'
import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { publicAddress } from '#files'
import { inLanguage, type CategoryRow } from './category-tree.ts'

/** Public addresses of spec §2.1; only the id matters, the slug is for people. */
export function productUrl(slug: string, id: string): string {
  return publicUrl('product', { slug, id })
}

/** The page of a product that nobody sells in the market. */
export function sheetUrl(slug: string, id: string): string {
  return publicUrl('sheet', { slug, id })
}

export function paintUrl(slug: string, id: string): string {
  return publicUrl('paint', { slug, id })
}

export function categoryUrl(category: Pick<CategoryRow, 'id' | 'slugs'>, language: Language): string {
  return publicUrl('category', { category: inLanguage(category.slugs, language), id: category.id })
}

export function brandUrl(brand: { id: number; slug: string }): string {
  return publicUrl('brand', { brand: brand.slug, id: brand.id })
}

/** One picture of a product: a file in the object store, or a drawing. */
export interface Picture {
  view: string
  /** Its key in the object store, of kind `product-picture`. */
  file?: string | null
}

/** Picture addresses are immutable: a file has its own, and a drawing's includes its version. */
export function pictureUrl(productId: string, picture: Picture | undefined, version: string): string {
  const { view, file } = picture ?? { view: 'main' }
  return file?.startsWith('public/product-picture/') ? publicAddress(file) : `/pictures/p/${productId}/${view}.svg?v=${version}`
}

export function categoryPictureUrl(department: string): string {
  return `/pictures/c/${department}.svg`
}

export function brandLogoUrl(brandId: number): string {
  return `/pictures/b/${brandId}.svg`
}
