import { ButtonLink, EmptyState } from '@purlin/ui'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'

export function load({ query, t }: ShopContext) {
  const token = typeof query['token'] === 'string' ? query['token'] : null
  return { data: { isPending: query['state'] === 'pending', token }, title: t('review.confirmation.title'), robots: 'noindex' }
}

/** Thanks for a review; it says nothing about the order, so that anybody may open it. */
export function Page({ data: { isPending, token }, context: { t } }: PageProps<typeof load>): ReactNode {
  return (
    <div className="measure">
      <EmptyState
        icon="good"
        heading="h1"
        title={t('review.confirmation.title')}
        actions={
          <>
            <ButtonLink href={token ? paths.review({}, { token }) : paths.reviewListing()}>{t('review.confirmation.next')}</ButtonLink>
            <ButtonLink href={paths.survey()} look="secondary">
              {t('review.confirmation.survey')}
            </ButtonLink>
          </>
        }
      >
        <p>{t(isPending ? 'review.confirmation.pending' : 'review.confirmation.published')}</p>
      </EmptyState>
    </div>
  )
}
