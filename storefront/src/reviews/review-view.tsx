import { Button, ButtonLink, EmptyState, Pagination, Select } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ReviewPageFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { RatingSummary } from './rating-summary.tsx'
import { reviewSorts, type ReviewFilter } from './review-filter.ts'
import { ReviewList } from './review-list.tsx'
import styles from './reviews.module.css'

interface Props {
  list: ReviewPageFragment
  filter: ReviewFilter
  context: ShopContext
  hrefOf: (filter: Partial<ReviewFilter>) => string
}

/** All reviews of a product or seller: distribution, filters as a form that works by address, and pages. */
export function ReviewView({ list, filter, context, hrefOf }: Props): ReactNode {
  const { t } = context
  if (list.count === 0)
    return (
      <EmptyState icon="good" title={t('review.none')}>
        <p>{t('review.none-text')}</p>
      </EmptyState>
    )
  const isFiltered = filter.stars !== null || filter.language !== null
  return (
    <div className={styles.columns}>
      <RatingSummary list={list} context={context} hrefOf={(stars) => hrefOf({ ...filter, stars, page: 1 })} />
      <div className={styles.main}>
        <form method="get" action={hrefOf({})} className={styles.filter}>
          <Select
            name="stars"
            label={t('review.stars-filter')}
            defaultValue={filter.stars ?? ''}
            options={[
              { value: '', label: t('review.any') },
              ...[5, 4, 3, 2, 1].map((stars) => ({ value: String(stars), label: t('review.star-row', { stars }) })),
            ]}
          />
          <Select
            name="lang"
            label={t('review.language-filter')}
            defaultValue={filter.language ?? ''}
            options={[
              { value: '', label: t('review.any') },
              ...list.languages.map(({ language, label, count }) => ({ value: language, label: `${label} (${count})` })),
            ]}
          />
          <Select
            name="sort"
            label={t('review.sort')}
            defaultValue={filter.sort}
            options={reviewSorts.map((sort) => ({ value: sort, label: t(`review.sort.${sort}`) }))}
          />
          <Button look="secondary">{t('review.apply')}</Button>
        </form>
        {list.reviews.length === 0 ? (
          <EmptyState icon="search" title={t('review.no-match')} actions={<ButtonLink href={hrefOf({})}>{t('review.reset')}</ButtonLink>} />
        ) : (
          <>
            <p className={styles.quiet} role="status">
              {t('review.count', { count: list.total })} {isFiltered && <a href={hrefOf({})}>{t('review.reset')}</a>}
            </p>
            <ReviewList reviews={list.reviews} context={context} voteAt={context.pathname} heading="h2" />
          </>
        )}
        <Pagination
          page={list.page}
          pages={list.pages}
          hrefOf={(page) => hrefOf({ ...filter, page })}
          words={{
            label: t('review.pages'),
            previous: t('listing.previous'),
            next: t('listing.next'),
            page: (number) => t('listing.page', { page: number }),
          }}
        />
        <p className={styles.quiet}>
          <a href={paths.contact()}>{t('review.report')}</a>
        </p>
      </div>
    </div>
  )
}
