import { Breadcrumb, Container } from '@purlin/ui'
import { canonicalSlug, notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { ProductReviewsDocument, type RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { RefusedNotice } from './refused-notice.tsx'
import { ratingData, reviewData } from './review-data.ts'
import { queryOf, readFilter } from './review-filter.ts'
import { ReviewView } from './review-view.tsx'
import styles from './reviews.module.css'
import { voteAction } from './vote-form.ts'

export async function load(context: ShopContext) {
  const { t, params, client, origin } = context
  const filter = readFilter(context.query)
  const { stars, language, sort, page } = filter
  const { product } = await client.query(ProductReviewsDocument, { id: params['id'] ?? '', input: { stars, language, sort, page } })
  if (!product || product.status === 'ENDED') return notFound()
  const { reviews } = product
  if (page > 1 && page > reviews.pages) return notFound()
  const at = { slug: product.slug, id: product.id }
  const path = paths.productReviews(at)
  const moved = canonicalSlug(context, path)
  if (moved) return moved
  const title = t('review.of-product', { title: product.title })
  return {
    data: { product, reviews, filter, at },
    title,
    canonical: paths.productReviews(at, queryOf({ page })),
    // Filtered lists repeat the same reviews.
    ...((stars !== null || language !== null || sort !== 'helpful' || reviews.count === 0) && { robots: 'noindex' }),
    jsonLd: [
      {
        '@context': 'https://schema.org',
        '@type': 'Product',
        name: product.title,
        url: origin + product.url,
        image: product.pictures.slice(0, 1).map(({ url }) => origin + url),
        ...ratingData(reviews),
        ...(reviews.reviews.length > 0 && { review: reviews.reviews.map(reviewData) }),
      },
    ],
  }
}

export const action = voteAction

/** All reviews of a product. */
export function Page({ data: { product, reviews, filter, at }, context, refusal }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const title = t('review.of-product', { title: product.title })
  return (
    <Container>
      <Breadcrumb
        label={t('shell.breadcrumb')}
        crumbs={[
          { label: t('shell.home'), href: '/' },
          { label: product.title, href: product.url },
        ]}
        here={t('review.title')}
      />
      <h1 className={styles.title}>{title}</h1>
      <RefusedNotice refusal={refusal} />
      <ReviewView list={reviews} filter={filter} context={context} hrefOf={(chosen) => paths.productReviews(at, queryOf(chosen))} />
    </Container>
  )
}
