import type { ReactNode } from 'react'
import { loadRecommended } from '../history/recommended.tsx'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import type { ShownProductFragment } from '../generated/documents.ts'
import { loadProduct } from './load-product.ts'
import { productData } from './product-data.ts'
import { ProductView } from './product-view.tsx'

const descriptionLength = 155

/** A product with offers; `/catalogue/p` has the same page without them. */
export async function load(context: ShopContext) {
  const answer = await loadProduct(context)
  if ('outcome' in answer) return answer.outcome
  const { product, place } = answer
  const recommended = await loadRecommended(context, { placement: 'article_page', productIds: [product.id] })
  const category = product.categories.at(-1)
  const path = paths[place]({ slug: product.slug, id: product.id })
  return {
    data: { product, path, recommended },
    title: distinctTitle(product),
    description: shortened(product.description),
    canonical: path,
    ...(product.pictures[0] && { picture: product.pictures[0].url }),
    alternates: Object.fromEntries(product.alternates.map(({ market, url }) => [market, url])),
    // The sheet of a product that nobody sells here is for visitors with a link to it.
    ...(place === 'catalogueProduct' && { robots: 'noindex, follow' }),
    pageData: {
      view: { productId: product.id },
      ...(category && { custom: { categoryId: category.id } }),
    },
    // The page also shows the prices of related products.
    tags: [
      `product:${product.id}`,
      ...[...product.alternatives, ...recommended.map(({ card }) => card)].map((card) => `card:${card.productId}`),
    ],
    jsonLd: productData(product, path, context),
  }
}

/** Products of one model differ by options that their common title need not name: size, pack. */
function distinctTitle({ title, options }: ShownProductFragment): string {
  const unnamed = options.flatMap(({ label, values }) => {
    const chosen = values.find(({ selected }) => selected)?.label
    if (chosen === undefined || title.toLowerCase().includes(chosen.toLowerCase())) return []
    // A bare number says nothing without its name.
    return /^[\d.,]+$/.test(chosen) ? `${label} ${chosen}` : chosen
  })
  return [title, ...unnamed].join(', ')
}

/** Whole words only. */
function shortened(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  return plain.length <= descriptionLength ? plain : `${plain.slice(0, plain.lastIndexOf(' ', descriptionLength))} …`
}

export function Page({ data: { product, path, recommended }, context }: PageProps<typeof load>): ReactNode {
  return <ProductView product={product} path={path} recommended={recommended} context={context} />
}
