import { ButtonLink, EmptyState, Pagination } from '@purlin/ui'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import { MyReviewableDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { ReviewableList } from './reviewable-list.tsx'

export async function load({ client, query, t, principal }: ShopContext) {
  const page = typeof query['page'] === 'string' && /^[1-9]\d?$/.test(query['page']) ? Number(query['page']) : 1
  const [{ reviewable }, { kind }] = await Promise.all([client.query(MyReviewableDocument, { token: null, page }), principal()])
  return { data: { ...reviewable, isGuest: kind === 'guest' }, title: t('review.listing.title'), robots: 'noindex' }
}

/** What is still to be reviewed, and the reviews written. */
export function Page({ data: { items, page, pages, isGuest }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <AccountFrame context={context} here="reviewListing" title={t('review.listing.title')}>
      {items.length === 0 ? (
        <EmptyState
          icon="good"
          title={t('review.listing.empty')}
          actions={
            isGuest ? (
              <ButtonLink href={paths.login({}, { callbackUrl: paths.reviewListing() })}>{t('review.listing.sign-in')}</ButtonLink>
            ) : (
              <ButtonLink href={paths.myOrders()}>{t('review.listing.orders')}</ButtonLink>
            )
          }
        >
          <p>{t('review.listing.empty-text')}</p>
        </EmptyState>
      ) : (
        <ReviewableList items={items} token={null} context={context} />
      )}
      <Pagination
        page={page}
        pages={pages}
        hrefOf={(to) => paths.reviewListing({}, to > 1 ? { page: String(to) } : {})}
        words={{
          label: t('review.pages'),
          previous: t('listing.previous'),
          next: t('listing.next'),
          page: (number) => t('listing.page', { page: number }),
        }}
      />
    </AccountFrame>
  )
}
