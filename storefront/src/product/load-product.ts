import { canonicalSlug, gone, notFound, type Outcome } from '@purlin/web/outcomes.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { ProductDocument, type ShownProductFragment } from '../generated/documents.ts'

/** Path of a product's page: with offers under `/p`, without any as a sheet under `/catalogue/p` (decision 2). */
export function placeOf(product: { slug: string; id: string; bestOffer: object | null }): 'product' | 'catalogueProduct' {
  return product.bestOffer ? 'product' : 'catalogueProduct'
}

/** The product at an address, or the visitor's redirect: wrong slug 301, ended 410, unknown 404. */
export async function loadProduct(
  context: ShopContext,
): Promise<{ outcome: Outcome } | { product: ShownProductFragment; place: 'product' | 'catalogueProduct' }> {
  const { product } = await context.client.query(ProductDocument, { id: context.params['id'] ?? '' })
  if (!product) return { outcome: notFound() }
  if (product.status === 'ENDED') {
    return { outcome: gone({ alternatives: product.alternatives.map(({ title, url }) => ({ title, url })) }) }
  }
  const place = placeOf(product)
  const moved = canonicalSlug(context, paths[place]({ slug: product.slug, id: product.id }))
  return moved ? { outcome: moved } : { product, place }
}
