import { typedNumber } from '@purlin/ui'
import { canonicalSlug, gone, notFound, redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { PaintDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import { placeOf } from '../product/load-product.ts'
import { productData } from '../product/product-data.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { needOf, usual } from './need.ts'
import { PaintView } from './paint-view.tsx'

/** A paint in its colours, with the tins for an area; `/catalogue/paint` has it where nobody sells this colour. */
export async function load(context: ShopContext) {
  const { t, formats } = context
  const need = needOf(context)
  const area = need.isWrong ? 0 : (typedNumber(need.area) ?? usual.area)
  const { product, paint } = await context.client.query(PaintDocument, { id: context.params['id'] ?? '', area, coats: need.coats })
  if (!product) return notFound()
  if (product.status === 'ENDED') return gone({ alternatives: product.alternatives.map(({ title, url }) => ({ title, url })) })
  const params = { slug: product.slug, id: product.id }
  // Where the visitor comes from stands in the query, as with another slug.
  if (!paint) return redirect(301, paths[placeOf(product)](params) + context.search)
  const path = product.bestOffer ? paths.paint(params) : paths.cataloguePaint(params)
  const moved = canonicalSlug(context, path)
  if (moved) return moved
  return {
    data: { product, paint, need: { ...need, area: need.area || formats.number(usual.area) }, area, path },
    title: t('paint.title', { title: product.title }),
    description: t('paint.description', { title: product.title }),
    // All colours and tins of a paint have one address for search engines.
    canonical: paint.url ?? path,
    alternates: Object.fromEntries(paint.url === path ? paint.alternates.map(({ market, url }) => [market, url]) : []),
    ...(Object.keys(context.query).length > 0 && { robots: 'noindex, follow' }),
    ...(product.pictures[0] && { picture: product.pictures[0].url }),
    pageData: { view: { productId: product.id } },
    tags: [
      `product:${product.id}`,
      ...paint.colors.flatMap(({ tins }) => tins.map(({ card }) => `card:${card.productId}`)),
      ...product.alternatives.map((card) => `card:${card.productId}`),
    ],
    jsonLd: productData(product, path, context),
  }
}

export function Page({ data, context }: PageProps<typeof load>): ReactNode {
  return <PaintView {...data} context={context} />
}
