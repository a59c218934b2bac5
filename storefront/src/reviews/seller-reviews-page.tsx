import { Breadcrumb, Container } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { SellerReviewsDocument, type RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { RefusedNotice } from './refused-notice.tsx'
import { ratingData, reviewData } from './review-data.ts'
import { queryOf, readFilter } from './review-filter.ts'
import { ReviewView } from './review-view.tsx'
import styles from './reviews.module.css'
import { voteAction } from './vote-form.ts'

const maxInteger = 2_147_483_647

export async function load({ t, params, query, client, origin }: ShopContext) {
  const id = Number(params['id'])
  if (!Number.isInteger(id) || id > maxInteger) return notFound()
  const filter = readFilter(query)
  const { stars, language, sort, page } = filter
  const { seller } = await client.query(SellerReviewsDocument, { id, input: { stars, language, sort, page } })
  if (!seller || (page > 1 && page > seller.reviews.pages)) return notFound()
  const { reviews } = seller
  return {
    data: { seller, reviews, filter },
    title: t('review.of-seller', { name: seller.name }),
    canonical: paths.sellerReviews({ id }, queryOf({ page })),
    ...((stars !== null || language !== null || sort !== 'helpful' || reviews.count === 0) && { robots: 'noindex' }),
    jsonLd: [
      {
        '@context': 'https://schema.org',
        '@type': 'Organization',
        name: seller.name,
        url: origin + seller.url,
        ...ratingData(reviews),
        ...(reviews.reviews.length > 0 && { review: reviews.reviews.map(reviewData) }),
      },
    ],
  }
}

export const action = voteAction

/** All reviews of a seller: their service, not their goods. */
export function Page({ data: { seller, reviews, filter }, context, refusal }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  return (
    <Container>
      <Breadcrumb
        label={t('shell.breadcrumb')}
        crumbs={[
          { label: t('shell.home'), href: '/' },
          { label: seller.name, href: seller.url },
        ]}
        here={t('review.title')}
      />
      <h1 className={styles.title}>{t('review.of-seller', { name: seller.name })}</h1>
      <RefusedNotice refusal={refusal} />
      <ReviewView
        list={reviews}
        filter={filter}
        context={context}
        hrefOf={(chosen) => paths.sellerReviews({ id: seller.id }, queryOf(chosen))}
      />
    </Container>
  )
}
