import { Button } from '@purlin/ui'
import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { optionalText } from '@purlin/web/form-input.ts'
import { redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import {
  EndBasketReminderDocument,
  EndOffersDocument,
  EndSubscriptionDocument,
  EndWishlistNoticesDocument,
} from '../generated/documents.ts'
import { EndMails, endTexts } from '../newsletter/end-mails.tsx'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './wishlist.module.css'

const endForm = v.object({ list: optionalText(60), newsletter: optionalText(60), offers: optionalText(60), basket: optionalText(60) })
const field = namesOf(endForm)

/** The unsubscribe page of wishlist mails, the newsletter, offers and reminders, and guests' reminders. Opening it changes nothing, because mail scanners open every link. */
export async function load({ query, t }: ShopContext) {
  const { list, done } = query
  const kind = (['newsletter', 'offers', 'basket'] as const).find((name) => typeof query[name] === 'string') ?? null
  return {
    data: { list: typeof list === 'string' ? list : null, kind, token: kind ? String(query[kind]) : '', isDone: done === '1' },
    title: t(kind ? endTexts[kind].title : 'wishlist-notice.end.title'),
    robots: 'noindex',
  }
}

export const action = formAction(endForm, async ({ client }: ShopContext, input) => {
  if (input.newsletter) {
    await client.mutate(EndSubscriptionDocument, { token: input.newsletter })
    return redirect(303, paths.unsubscribe({}, { newsletter: '', done: '1' }))
  }
  if (input.offers) {
    await client.mutate(EndOffersDocument, { token: input.offers })
    return redirect(303, paths.unsubscribe({}, { offers: '', done: '1' }))
  }
  if (input.basket) {
    await client.mutate(EndBasketReminderDocument, { token: input.basket })
    return redirect(303, paths.unsubscribe({}, { basket: '', done: '1' }))
  }
  if (input.list) await client.mutate(EndWishlistNoticesDocument, { token: input.list })
  return redirect(303, paths.unsubscribe({}, { done: '1' }))
})

export function Page({ data: { list, kind, token, isDone }, context: { t } }: PageProps<typeof load>): ReactNode {
  if (kind !== null)
    return (
      <div className={`measure ${styles.end}`}>
        <EndMails kind={kind} name={field(kind)} token={token} isDone={isDone} t={t} />
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
