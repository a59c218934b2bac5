import { ButtonLink, Container, EmptyState } from '@purlin/ui'
import { formAction } from '@purlin/web/form-action.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { MyReviewableDocument, WriteReviewDocument, type RefusalFragment } from '../generated/documents.ts'
import { BackToAccount } from '../account/account-frame.tsx'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { RefusedNotice } from './refused-notice.tsx'
import { ReviewForm } from './review-form.tsx'
import { aspectFields, reviewForm } from './review-form-fields.ts'
import { ReviewableList } from './reviewable-list.tsx'
import styles from './reviews.module.css'

/** With an invitation's token its order is shown, else what the visitor has received; `item` names what is reviewed. */
export async function load({ client, query, t }: ShopContext) {
  const token = textOf(query['token'])
  const { reviewable } = await client.query(MyReviewableDocument, { token, page: null })
  const open = reviewable.items.filter(({ written }) => written === null)
  const item =
    open.find(({ key }) => key === query['item']) ?? (token && open.length > 0 && query['item'] === undefined ? open[0] : undefined)
  return { data: { items: reviewable.items, item: item ?? null, token }, title: t('review.write.title'), robots: 'noindex' }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export const action = formAction(reviewForm, async ({ client }: ShopContext, input) => {
  const { key, token, stars, title, body, pros, cons, author, photo } = input
  const aspects = aspectFields.map((field) => (input[field] === '' ? null : Number(input[field])))
  const photos = photo.map(({ id }) => id)
  const written = (
    await client.mutate(WriteReviewDocument, {
      input: { key, token, stars: Number(stars), aspects, title, body, pros, cons, author, photos },
    })
  )?.writeReview
  if (written?.refusal) return refuse(written.refusal)
  return redirect(303, paths.reviewConfirmation({}, { ...(written?.isPending && { state: 'pending' }), ...(token && { token }) }))
})

export function Page({ data: { items, item, token }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  if (items.length === 0)
    return (
      <Container>
        <RefusedNotice refusal={refusal} />
        <EmptyState
          icon="info"
          title={t('review.write.gone')}
          heading="h1"
          actions={<ButtonLink href={paths.reviewListing()}>{t('review.listing.title')}</ButtonLink>}
        >
          <p>{t('review.write.gone-text')}</p>
        </EmptyState>
      </Container>
    )
  if (!item)
    return (
      <Container narrow>
        <h1 className={styles.title}>{t('review.write.which')}</h1>
        <RefusedNotice refusal={refusal} />
        <ReviewableList items={items} token={token} context={context} />
      </Container>
    )
  const { title, sellerName, purchasedOn, pictureUrl } = item
  return (
    <Container narrow>
      {token === null && <BackToAccount to={paths.reviewListing()} label={t('review.listing.title')} />}
      <h1 className={styles.title}>{t(`review.write.${item.subject}`, { title })}</h1>
      <div className={styles.subject}>
        {pictureUrl && <img src={pictureUrl} alt="" width={96} height={96} />}
        <p className={styles.quiet}>{t('review.write.bought', { seller: sellerName, at: purchasedOn })}</p>
      </div>
      {refusal?.fields.length === 0 && <RefusedNotice refusal={refusal} />}
      <ReviewForm item={item} token={token} context={context} refusal={refusal ?? null} typed={typed ?? null} />
    </Container>
  )
}
