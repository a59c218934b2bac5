import { ButtonLink, Disclosure } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ShownSellerFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { RatingSummary } from './rating-summary.tsx'
import { ReviewList } from './review-list.tsx'
import styles from './reviews.module.css'

/** Reviews of a seller's service, above their goods: folded, because the goods are what most visitors want. */
export function SellerOpinions({ seller, context }: { seller: ShownSellerFragment; context: ShopContext }): ReactNode {
  const { t } = context
  const { reviews } = seller
  if (reviews.count === 0) return null
  const at = { id: seller.id }
  return (
    <Disclosure title={t('review.of-seller', { name: seller.name })} id="reviews">
      <div className={styles.columns}>
        <RatingSummary list={reviews} context={context} hrefOf={(stars) => paths.sellerReviews(at, { stars: String(stars) })} />
        <div>
          <ReviewList reviews={reviews.reviews} context={context} />
          <p className={styles.more}>
            <ButtonLink href={paths.sellerReviews(at)} look="secondary">
              {t('review.all', { count: reviews.count })}
            </ButtonLink>
          </p>
        </div>
      </div>
    </Disclosure>
  )
}
