import { Button, Check, ErrorSummary } from '@purlin/ui'
import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { text } from '@purlin/web/form-input.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import styles from '../checkout/checkout.module.css'
import { AcceptHomeCollectionDocument, type RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import { RefusedNotice } from '../reviews/refused-notice.tsx'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { CollectedGoods, LinkedPage, loadCollection, tokenOf } from './collection-view.tsx'

const acceptForm = v.object({ appointment: text(30) })
const field = namesOf(acceptForm)

export const load = (context: ShopContext) => loadCollection(context, context.t('collection.title'))

export const action = formAction(acceptForm, async (context: ShopContext, { appointment }) => {
  const token = tokenOf(context)
  const refusal = (await context.client.mutate(AcceptHomeCollectionDocument, { token, appointment }))?.acceptHomeCollection.refusal
  if (refusal) return refuse(refusal)
  return redirect(303, paths.homeCollectionAccept({}, { token }), { severity: 'success', key: 'flash.collection-chosen' })
})

/** A driver's appointment: chosen, confirmed, or chosen anew. */
export function Page({ data: { collection, token }, context, refusal }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const title = t('collection.title')
  if (!collection) return <LinkedPage title={title} about={null} context={context} />
  const { state, stateLabel, from, to, canChange, appointments, sellerName } = collection
  const isChosen = state === 'ACCEPTED' || state === 'BOOKED'
  const hint = {
    OFFERED: t('collection.accept.text'),
    ACCEPTED: t('collection.accept.accepted'),
    BOOKED: t('collection.accept.booked'),
    MISSED: t('collection.accept.missed'),
    CANCELLED: t('collection.accept.cancelled'),
    COLLECTED: t('collection.accept.collected', { seller: sellerName }),
  }[state]
  const fault = refusal?.fields.some((each) => each.field === field('appointment')) ? t('form.choice') : undefined
  return (
    <LinkedPage title={title} about={collection} context={context}>
      {!fault && <RefusedNotice refusal={refusal} />}
      <section className={styles.panel}>
        <p>
          <span className={styles.state}>{stateLabel}</span>
        </p>
        {from && to && (
          <p>
            <strong>{t('collection.when', { from, to })}</strong>
          </p>
        )}
        <p>{hint}</p>
        {!canChange && state !== 'COLLECTED' && <p>{t('collection.closed')}</p>}
      </section>
      {canChange && (
        <section className={styles.panel}>
          <form method="post" action={paths.homeCollectionAccept({}, { token })}>
            <ErrorSummary title={refusal?.message ?? ''} errors={fault ? [{ href: '#appointment', message: fault }] : []} />
            <fieldset className={styles.part}>
              <legend className={styles.legend}>{t(isChosen ? 'collection.accept.other' : 'collection.accept.choose')}</legend>
              <div className={styles.plainList}>
                {appointments.map((each, index) => (
                  <Check
                    key={each.value}
                    {...(index === 0 && { id: 'appointment', error: fault })}
                    type="radio"
                    name={field('appointment')}
                    value={each.value}
                    required
                    defaultChecked={each.isChosen}
                    label={t('collection.appointment', { from: each.from, to: each.to })}
                  />
                ))}
              </div>
            </fieldset>
            <p className={styles.actions}>
              <Button size="l">{t(isChosen ? 'collection.accept.again' : 'collection.accept.do')}</Button>
            </p>
          </form>
        </section>
      )}
      <CollectedGoods collection={collection} context={context} />
      {canChange ? (
        <p className={styles.actions}>
          <a href={paths.homeCollectionChangeAddress({}, { token })}>{t('collection.address.title')}</a>
          {state !== 'CANCELLED' && <a href={paths.homeCollectionCancel({}, { token })}>{t('collection.cancel.title')}</a>}
        </p>
      ) : (
        <p>
          <a href={paths.myOrders()}>{t('account.orders')}</a>
        </p>
      )}
    </LinkedPage>
  )
}
