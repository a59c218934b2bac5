import { Alert, Button, ErrorSummary, Field } from '@purlin/ui'
import { Container } from '@purlin/ui/panel.tsx'
import { fieldsOf, formAction } from '@purlin/web/form-action.ts'
import { text } from '@purlin/web/form-input.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import styles from '../checkout/checkout.module.css'
import { GiveRefundAccountDocument, RefundDocument, type RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { FormRefusal } from '../shell/form-refusal.tsx'
import { RefundFacts } from './refund-list.tsx'

const accountForm = v.object({ holder: text(70), iban: text(50) })

export async function load(context: ShopContext) {
  const { refund } = await context.client.query(RefundDocument, { id: context.params['id'] ?? '' })
  if (!refund) return notFound()
  return { data: { refund }, title: context.t('refund.page.title'), robots: 'noindex' }
}

export const action = formAction(accountForm, async (context: ShopContext, { holder, iban }) => {
  const refundId = context.params['id'] ?? ''
  const answer = await context.client.mutate(GiveRefundAccountDocument, { refundId, holder, iban })
  const refusal = answer?.giveRefundAccount.refusal
  if (refusal?.reason === 'unknown-refund') return notFound()
  if (refusal) return refuse(refusal)
  return redirect(303, paths.refundForm({ id: refundId }), { severity: 'success', key: 'flash.refund-account-given' })
})

/** Where a refund goes; asks for a bank account when the card did not take it. */
export function Page({ data: { refund }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const field = fieldsOf(accountForm, { typed, refusal })
  const labels = { holder: t('refund.page.holder'), iban: t('refund.page.iban') }
  const errors = (['holder', 'iban'] as const).flatMap((name) => {
    const { error } = field(name)
    return error ? [{ href: `#${name}`, message: t('form.fault', { field: labels[name], message: error }) }] : []
  })
  return (
    <Container>
      <div className={styles.narrow}>
        <p className={styles.kicker}>{refund.stateLabel}</p>
        <h1>{t('refund.page.title')}</h1>
        <section className={styles.panel}>
          <h2>{t('refund.page.number', { number: refund.number, id: refund.customerOrderId })}</h2>
          <RefundFacts refund={refund} context={context} />
        </section>
        {refund.state === 'IBAN_NEEDED' && !refund.canGiveAccount && <Alert severity="info">{t('refund.page.not-yours')}</Alert>}
        {refund.canGiveAccount && (
          <section className={styles.panel}>
            <form method="post">
              <p>{t('refund.page.ask')}</p>
              <FormRefusal refusal={refusal} />
              <ErrorSummary title={refusal?.message ?? ''} errors={errors} />
              <Field {...field('holder')} label={labels.holder} autoComplete="name" />
              <Field {...field('iban')} label={labels.iban} hint={t('refund.page.iban-hint')} autoComplete="off" spellCheck={false} />
              <p className={styles.quiet}>{t('refund.page.privacy')}</p>
              <p>
                <Button size="l">{t('refund.page.send')}</Button>
              </p>
            </form>
          </section>
        )}
        <p>
          <a href={paths.orderDetails(refund)}>{t('refund.page.back')}</a>
        </p>
      </div>
    </Container>
  )
}
