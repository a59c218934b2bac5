import { Button } from '@purlin/ui'
import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { text } from '@purlin/web/form-input.ts'
import { redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { EndWishlistNoticesDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './wishlist.module.css'

const endForm = v.object({ list: text(60) })
const field = namesOf(endForm)

/** The unsubscribe page of a wishlist mail. Opening it changes nothing, because mail scanners open every link. */
export async function load({ query, t }: ShopContext) {
  const { list, done } = query
  const isDone = done === '1'
  return { data: { list: typeof list === 'string' ? list : null, isDone }, title: t('wishlist-notice.end.title'), robots: 'noindex' }
}

export const action = formAction(endForm, async ({ client }: ShopContext, { list }) => {
  await client.mutate(EndWishlistNoticesDocument, { token: list })
  return redirect(303, paths.unsubscribe({}, { done: '1' }))
})

export function Page({ data: { list, isDone }, context: { t } }: PageProps<typeof load>): ReactNode {
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
