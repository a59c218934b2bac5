import { Button, ButtonLink, ErrorSummary, TextArea } from '@purlin/ui'
import { fieldsOf, formAction } from '@purlin/web/form-action.ts'
import { choice, optionalLines } from '@purlin/web/form-input.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import styles from '../checkout/checkout.module.css'
import { RateReturnDocument, ReturnToRateDocument, type RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import { RatingRow } from '../reviews/rating-row.tsx'
import { RefusedNotice } from '../reviews/refused-notice.tsx'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { LinkedPage, tokenOf } from './collection-view.tsx'

const ratings = ['1', '2', '3', '4', '5'] as const
const feedbackForm = v.object({ rating: choice(ratings), comment: optionalLines(1_000) })

export async function load(context: ShopContext) {
  const token = tokenOf(context)
  const request = token === '' ? null : ((await context.client.query(ReturnToRateDocument, { token })).returnToRate ?? null)
  const data = { request, token, isDone: context.query['done'] === '1' }
  return { data, title: context.t('return-feedback.title'), robots: 'noindex', ...(token !== '' && !request && { status: 404 }) }
}

export const action = formAction(feedbackForm, async (context: ShopContext, { rating, comment }) => {
  const token = tokenOf(context)
  const refusal = (await context.client.mutate(RateReturnDocument, { token, rating: Number(rating), comment }))?.rateReturn.refusal
  return refusal ? refuse(refusal) : redirect(303, paths.returnFeedback({}, { token, done: '1' }))
})

/** A buyer's feedback on a completed return. */
export function Page({ data: { request, token, isDone }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const title = t('return-feedback.title')
  if (!request) return <LinkedPage title={title} about={null} context={context} />
  const field = fieldsOf(feedbackForm, { typed, refusal, known: (name) => String(request[name] ?? '') })
  const errors = (['rating', 'comment'] as const).flatMap((name) => {
    const { error } = field(name)
    return error ? [{ href: `#${name}`, message: error }] : []
  })
  return (
    <LinkedPage title={title} about={request} context={context}>
      <section className={styles.panel}>
        {isDone && request.rating !== null ? (
          <>
            <p role="status">{t('return-feedback.thanks', { seller: request.sellerName })}</p>
            <p>
              <ButtonLink href="/">{t('checkout.receipt.continue')}</ButtonLink>
            </p>
          </>
        ) : !request.canRate ? (
          <>
            <p>{t('return-feedback.early')}</p>
            <p>
              <ButtonLink href={paths.myOrders()}>{t('account.orders')}</ButtonLink>
            </p>
          </>
        ) : (
          <form method="post" action={paths.returnFeedback({}, { token })}>
            {errors.length === 0 && <RefusedNotice refusal={refusal} />}
            <ErrorSummary title={refusal?.message ?? ''} errors={errors} />
            <RatingRow
              id="rating"
              name={field('rating').name}
              legend={t('return-feedback.question')}
              options={ratings.map((value) => ({ value, label: t('return-feedback.rating', { count: Number(value) }) }))}
              chosen={field('rating').defaultValue}
              error={field('rating').error}
            />
            <TextArea {...field('comment')} label={t('return-feedback.comment')} optional={t('return-feedback.optional')} />
            <p>
              <Button size="l">{t('return-feedback.send')}</Button>
            </p>
          </form>
        )}
      </section>
    </LinkedPage>
  )
}
