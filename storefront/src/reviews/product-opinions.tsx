import { ButtonLink, Section } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ShownProductFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { QuestionList } from './questions.tsx'
import { RatingSummary } from './rating-summary.tsx'
import { ReviewList } from './review-list.tsx'
import styles from './reviews.module.css'

/** Reviews and questions on a product's page: a few of each; all are on pages of their own. */
export function ProductOpinions({ product, context }: { product: ShownProductFragment; context: ShopContext }): ReactNode {
  const { t } = context
  const { reviews, questions } = product
  const at = { slug: product.slug, id: product.id }
  return (
    <>
      <Section title={t('review.title')} id="reviews">
        {reviews.count === 0 ? (
          <>
            <p>{t('review.none')}</p>
            <p className={styles.quiet}>{t('review.none-text')}</p>
          </>
        ) : (
          <div className={styles.columns}>
            <RatingSummary list={reviews} context={context} hrefOf={(stars) => paths.productReviews(at, { stars: String(stars) })} />
            <div>
              <ReviewList reviews={reviews.reviews} context={context} />
              <p className={styles.more}>
                <ButtonLink href={paths.productReviews(at)} look="secondary">
                  {t('review.all', { count: reviews.count })}
                </ButtonLink>
              </p>
            </div>
          </div>
        )}
      </Section>
      <Section title={t('question.title')} id="questions">
        {questions.total === 0 ? (
          <p className={styles.quiet}>{t('question.none')}</p>
        ) : (
          <QuestionList questions={questions.questions} context={context} />
        )}
        <p className={styles.more}>
          <ButtonLink href={`${paths.productQuestions(at)}#ask`} look="secondary">
            {t('question.ask')}
          </ButtonLink>{' '}
          {questions.total > questions.questions.length && (
            <a href={paths.productQuestions(at)}>{t('question.all', { count: questions.total })}</a>
          )}
        </p>
      </Section>
    </>
  )
}
