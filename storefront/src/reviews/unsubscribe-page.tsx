import { Button } from '@purlin/ui'
import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { text } from '@purlin/web/form-input.ts'
import { redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { EndReviewInvitationsDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './reviews.module.css'

const endForm = v.object({ token: text(60) })
const field = namesOf(endForm)

/** The unsubscribe page of an invitation. Opening it changes nothing, because mail scanners open every link. */
export function load({ query, t }: ShopContext) {
  const { token, done } = query
  return {
    data: { token: typeof token === 'string' ? token : null, isDone: done === '1' },
    title: t('review.unsubscribe.title'),
    robots: 'noindex',
  }
}

export const action = formAction(endForm, async ({ client }: ShopContext, { token }) => {
  await client.mutate(EndReviewInvitationsDocument, { token })
  return redirect(303, paths.reviewUnsubscribe({}, { done: '1' }))
})

export function Page({ data: { token, isDone }, context: { t } }: PageProps<typeof load>): ReactNode {
  return (
    <div className={`measure ${styles.form}`}>
      <h1 className={styles.title}>{t('review.unsubscribe.title')}</h1>
      {isDone ? (
        <p role="status">{t('review.unsubscribe.done')}</p>
      ) : token === null ? (
        <p>{t('review.unsubscribe.none')}</p>
      ) : (
        <form method="post" className={styles.form}>
          <p>{t('review.unsubscribe.text')}</p>
          <input type="hidden" name={field('token')} value={token} />
          <p>
            <Button>{t('review.unsubscribe.do')}</Button>
          </p>
        </form>
      )}
    </div>
  )
}
