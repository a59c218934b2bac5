import { Rating } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { RatingSummaryFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { ratingWords } from '../shell/words.ts'
import styles from './reviews.module.css'

interface Props {
  list: RatingSummaryFragment
  context: ShopContext
  /** Address of the reviews with this number of stars. */
  hrefOf: (stars: number) => string
}

/** Average, distribution and sub-ratings, and how reviews come about (Omnibus Directive, Art. 7(6) UCPD). */
export function RatingSummary({ list, context, hrefOf }: Props): ReactNode {
  const { t } = context
  const { rating, count, stars, aspects } = list
  if (rating === null || count === 0) return null
  return (
    <div className={styles.summary}>
      <p className={styles.average}>
        <b>{t('review.of-five', { rating })}</b>
        <Rating value={rating} count={count} words={ratingWords(context)} size="l" />
      </p>
      <ul>
        {stars.map((row) => (
          <li key={row.stars}>
            <a href={hrefOf(row.stars)} className={styles.bar}>
              <span>{t('review.star-row', { stars: row.stars })}</span>
              <span className={styles.track} aria-hidden="true">
                <span style={{ inlineSize: `${Math.round((row.count / count) * 100)}%` }} />
              </span>
              <span className={styles.figure}>{row.count}</span>
            </a>
          </li>
        ))}
      </ul>
      <Aspects aspects={aspects} context={context} />
      <p className={styles.quiet}>{t('review.verified')}</p>
      <details className={styles.how}>
        <summary>{t('review.how')}</summary>
        <p>{t('review.how-text')}</p>
      </details>
    </div>
  )
}

export function Aspects({ aspects, context }: { aspects: RatingSummaryFragment['aspects']; context: ShopContext }): ReactNode {
  if (aspects.length === 0) return null
  return (
    <dl className={styles.aspects}>
      {aspects.map(({ label, rating }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{context.t('review.of-five', { rating })}</dd>
        </div>
      ))}
    </dl>
  )
}
