import { ButtonLink, Rating } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { MyReviewableQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './reviews.module.css'

type Item = MyReviewableQuery['reviewable']['items'][number]

/** What was received, with the review written about it or the way to write one. */
export function ReviewableList({
  items,
  token,
  context,
}: {
  items: readonly Item[]
  token: string | null
  context: ShopContext
}): ReactNode {
  return (
    <ul className={styles.reviewables}>
      {items.map((item) => (
        <li key={item.key}>
          {item.pictureUrl ? (
            <img src={item.pictureUrl} alt="" width={72} height={72} />
          ) : (
            <span className={styles.face} aria-hidden="true">
              {item.title.slice(0, 1)}
            </span>
          )}
          <div className={styles.what}>
            <p>
              <a href={item.url}>{item.title}</a>
              {item.subject === 'seller' && <span className={styles.quiet}> {context.t('review.listing.as-seller')}</span>}
            </p>
            <p className={styles.quiet}>{context.t('review.write.bought', { seller: item.sellerName, at: item.purchasedOn })}</p>
            {item.written && <Written written={item.written} context={context} />}
          </div>
          {!item.written && (
            <ButtonLink
              href={paths.review({}, { item: item.key, ...(token && { token }) })}
              look="secondary"
              aria-label={context.t('review.listing.write-named', { title: item.title })}
            >
              {context.t('review.listing.write')}
            </ButtonLink>
          )}
        </li>
      ))}
    </ul>
  )
}

function Written({ written, context: { t } }: { written: NonNullable<Item['written']>; context: ShopContext }): ReactNode {
  return (
    <div className={styles.written}>
      <p>
        <Rating value={written.stars} count={1} words={{ label: () => t('review.stars-of', { stars: written.stars }), figure: () => '' }} />{' '}
        <b>{written.title}</b>
      </p>
      <p className={styles.quiet}>{t('review.listing.state', { state: written.state })}</p>
      {written.refusal && <p className={styles.quiet}>{written.refusal}</p>}
    </div>
  )
}
