import { Button, ButtonLink } from '@purlin/ui'
import { formAction } from '@purlin/web/form-action.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import styles from '../checkout/checkout.module.css'
import { CancelHomeCollectionDocument, type RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import { RefusedNotice } from '../reviews/refused-notice.tsx'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { ClosedCollection, CollectedGoods, LinkedPage, loadCollection, tokenOf } from './collection-view.tsx'

/** Opening the page changes nothing, because mail scanners open every link. */
export const load = (context: ShopContext) => loadCollection(context, context.t('collection.cancel.title'))

export const action = formAction(v.object({}), async (context: ShopContext) => {
  const token = tokenOf(context)
  const refusal = (await context.client.mutate(CancelHomeCollectionDocument, { token }))?.cancelHomeCollection.refusal
  return refusal ? refuse(refusal) : redirect(303, paths.homeCollectionCancel({}, { token }))
})

export function Page({ data: { collection, token }, context, refusal }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const title = t('collection.cancel.title')
  if (!collection) return <LinkedPage title={title} about={null} context={context} />
  const { state, canChange, number, from, to } = collection
  const back = paths.homeCollectionAccept({}, { token })
  return (
    <LinkedPage title={title} about={collection} context={context}>
      <section className={styles.panel}>
        <RefusedNotice refusal={refusal} />
        {state === 'CANCELLED' ? (
          <p role="status">{t('collection.cancel.done')}</p>
        ) : canChange ? (
          <>
            {from && to && (
              <p>
                <strong>{t('collection.when', { from, to })}</strong>
              </p>
            )}
            <p>{t('collection.cancel.text', { number })}</p>
            <form method="post" action={paths.homeCollectionCancel({}, { token })} className={styles.actions}>
              <Button size="l">{t('collection.cancel.do')}</Button>
              <ButtonLink size="l" look="secondary" href={back}>
                {t('collection.back')}
              </ButtonLink>
            </form>
          </>
        ) : (
          <ClosedCollection collection={collection} context={context} />
        )}
        {(state === 'CANCELLED' || !canChange) && (
          <p>
            <a href={back}>{t('collection.back')}</a>
          </p>
        )}
      </section>
      <CollectedGoods collection={collection} context={context} />
    </LinkedPage>
  )
}
