import { Rating } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ShownReviewFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { Aspects } from './rating-summary.tsx'
import { LanguageNote } from './language-note.tsx'
import styles from './reviews.module.css'
import { voteField } from './vote-form.ts'

interface Props {
  reviews: readonly ShownReviewFragment[]
  context: ShopContext
  /** Where votes are sent; without it there are none. */
  voteAt?: string
  heading?: 'h2' | 'h3'
}

export function ReviewList({ reviews, context, voteAt, heading = 'h3' }: Props): ReactNode {
  return (
    <ul className={styles.list}>
      {reviews.map((review) => (
        <li key={review.id}>
          <Review review={review} context={context} voteAt={voteAt} heading={heading} />
        </li>
      ))}
    </ul>
  )
}

function Review({
  review,
  context,
  voteAt,
  heading: Heading,
}: Omit<Props, 'reviews' | 'heading'> & { review: ShownReviewFragment; heading: 'h2' | 'h3' }): ReactNode {
  const { t } = context
  const lists = [
    { label: t('review.pros'), text: review.pros },
    { label: t('review.cons'), text: review.cons },
  ].filter((list) => list.text !== null)
  return (
    <article className={styles.review} lang={review.language}>
      <div className={styles.reviewHead}>
        <Rating value={review.stars} count={1} words={{ label: () => t('review.stars-of', { stars: review.stars }), figure: () => '' }} />
        <Heading className={styles.headline}>{review.title}</Heading>
      </div>
      <p className={styles.quiet} lang={context.language}>
        {t.rich(
          'review.byline',
          { b: (words) => <b>{words}</b> },
          { author: review.author, country: review.country, at: review.writtenOn },
        )}
      </p>
      <LanguageNote of={review.language} context={context} />
      {review.body.split('\n\n').map((part, index) => (
        <p key={index} className={styles.body}>
          {part}
        </p>
      ))}
      {lists.length > 0 && (
        <dl className={styles.lists}>
          {lists.map(({ label, text }) => (
            <div key={label}>
              <dt lang={context.language}>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {review.photos.length > 0 && (
        <ul className={styles.photos}>
          {review.photos.map(({ url, alt }) => (
            <li key={url}>
              <a href={url}>
                <img src={url} alt={alt} width={96} height={96} loading="lazy" />
              </a>
            </li>
          ))}
        </ul>
      )}
      {voteAt && <Aspects aspects={review.aspects} context={context} />}
      {review.answer && (
        <div className={styles.answer}>
          <p lang={context.language}>
            <b>{t('review.answer', { seller: review.sellerName })}</b>
          </p>
          <p>{review.answer}</p>
        </div>
      )}
      {voteAt && (
        <form method="post" action={voteAt} className={styles.vote} lang={context.language}>
          <input type="hidden" name={voteField('id')} value={review.id} />
          <span>{t('review.helpful')}</span>
          <button name={voteField('isHelpful')} value="yes">
            {t('review.yes', { count: review.helpful })}
          </button>
          <button name={voteField('isHelpful')} value="no">
            {t('review.no', { count: review.unhelpful })}
          </button>
        </form>
      )}
    </article>
  )
}
