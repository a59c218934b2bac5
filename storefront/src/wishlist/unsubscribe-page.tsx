import { Button } from '@purlin/ui'
import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { optionalText } from '@purlin/web/form-input.ts'
import { redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { EndSubscriptionDocument, EndWishlistNoticesDocument } from '../generated/documents.ts'
import { EndNewsletter } from '../newsletter/end-newsletter.tsx'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './wishlist.module.css'

const endForm = v.object({ list: optionalText(60), newsletter: optionalText(60) })
const field = namesOf(endForm)

/** The unsubscribe page of wishlist mails and the newsletter. Opening it changes nothing, because mail scanners open every link. */
export async function load({ query, t }: ShopContext) {
  const { list, newsletter, done } = query
  const isNewsletter = typeof newsletter === 'string'
  return {
    data: { list: typeof list === 'string' ? list : null, newsletter: isNewsletter ? newsletter : null, isDone: done === '1' },
    title: t(isNewsletter ? 'newsletter.end.title' : 'wishlist-notice.end.title'),
    robots: 'noindex',
  }
}

export const action = formAction(endForm, async ({ client }: ShopContext, input) => {
  if (input.newsletter) {
    await client.mutate(EndSubscriptionDocument, { token: input.newsletter })
    return redirect(303, paths.unsubscribe({}, { newsletter: '', done: '1' }))
  }
  if (input.list) await client.mutate(EndWishlistNoticesDocument, { token: input.list })
  return redirect(303, paths.unsubscribe({}, { done: '1' }))
})

export function Page({ data: { list, newsletter, isDone }, context: { t } }: PageProps<typeof load>): ReactNode {
  if (newsletter !== null)
    return (
      <div className={`measure ${styles.end}`}>
        <EndNewsletter name={field('newsletter')} token={newsletter} isDone={isDone} t={t} />
      </div>
    )
  return (
    <div className={`measure ${styles.end}`}>
      <h1>{t('wishlist-notice.end.title')}</h1>
      {isDone ? (
        <p role="status">{t('wishlist-notice.end.done')}</p>
      ) : list === null ? (
        <p>{t('wishlist-notice.end.none')}</p>
      ) : (
        <form method="post">
          <p>{t('wishlist-notice.end.text')}</p>
          <input type="hidden" name={field('list')} value={list} />
          <Button>{t('wishlist-notice.end.do')}</Button>
        </form>
      )}
      <p>
        <a href={paths.wishlists()}>{t('wishlist-notice.end.lists')}</a>
      </p>
    </div>
  )
}
