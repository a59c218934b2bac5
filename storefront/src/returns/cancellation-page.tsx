import { Alert, Button, ButtonLink, EmptyState, Select } from '@purlin/ui'
import { Container } from '@purlin/ui/panel.tsx'
import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { choice, text, wholeNumber } from '@purlin/web/form-input.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import styles from '../checkout/checkout.module.css'
import { CancellationDocument, CancelLinesDocument, type CancellationQuery, type RefusalFragment } from '../generated/documents.ts'
import { BackToAccount } from '../account/account-frame.tsx'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { chosenLines, chosenName } from './chosen-lines.ts'

const reasons = ['changed-mind', 'found-cheaper', 'too-late', 'ordered-twice', 'wrong-address', 'other'] as const
const cancelForm = v.object({ reason: choice(reasons), lines: v.record(text(40), wholeNumber({ most: 999_999 })) })
const field = namesOf(cancelForm)
type Plan = NonNullable<CancellationQuery['cancellation']>

export async function load(context: ShopContext) {
  const { customerOrderId = '', sellerOrderId = '' } = context.params
  const lines = chosenLines(context.query)
  const { cancellation } = await context.client.query(CancellationDocument, { customerOrderId, sellerOrderId, lines })
  if (!cancellation) return notFound()
  const reason = reasons.find((known) => known === context.query['reason']) ?? null
  const isSummary = reason !== null && cancellation.lines.some((line) => line.chosenNow + line.chosenOnRequest > 0)
  const isIncomplete = reason !== null && !isSummary
  const data = { plan: cancellation, reason, isSummary, isIncomplete, customerOrderId, sellerOrderId }
  return { data, title: context.t(isSummary ? 'cancellation.summary' : 'cancellation.title'), robots: 'noindex' }
}

export const action = formAction(cancelForm, async (context: ShopContext, { reason, lines }) => {
  const { customerOrderId = '', sellerOrderId = '' } = context.params
  const wanted = Object.entries(lines).flatMap(([offerId, quantity]) => (quantity > 0 ? [{ offerId, quantity }] : []))
  const answer = await context.client.mutate(CancelLinesDocument, { input: { customerOrderId, sellerOrderId, reason, lines: wanted } })
  const done = answer?.cancelLines
  if (!done || done.refusal?.reason === 'unknown-order') return notFound()
  if (done.refusal) return refuse(done.refusal)
  const key = done.requested > 0 ? ('flash.cancellation-requested' as const) : ('flash.lines-cancelled' as const)
  return redirect(303, paths.orderDetails({ customerOrderId, sellerOrderId }), { severity: 'success', key })
})

/** Cancelling pieces in two steps: what and why, then the summary with the refund. Works without scripts. */
export function Page({ data, context, refusal }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const { plan, isSummary, customerOrderId, sellerOrderId } = data
  const canCancel = plan.lines.some((line) => line.now + line.onRequest > 0)
  return (
    <Container>
      <div className={styles.narrow}>
        <BackToAccount to={paths.orderDetails({ customerOrderId, sellerOrderId })} label={t('cancellation.back')} />
        <p className={styles.kicker}>{t('cancellation.from', { seller: plan.sellerName })}</p>
        <h1>{t(isSummary ? 'cancellation.summary' : 'cancellation.title')}</h1>
        {refusal && (
          <Alert severity="danger" announces>
            {refusal.message}
          </Alert>
        )}
        {data.isIncomplete && !refusal && <Alert severity="danger" announces title={t('cancellation.choose')} />}
        {!canCancel ? (
          <EmptyState icon="info" title={t('cancellation.none.title')}>
            <p>{t('cancellation.none.text')}</p>
          </EmptyState>
        ) : !plan.mayCancel ? (
          <Alert severity="info">{t('cancellation.only-owner')}</Alert>
        ) : isSummary ? (
          <SummaryStep {...data} context={context} />
        ) : (
          <ChoiceStep plan={plan} reason={data.reason} context={context} />
        )}
        {plan.requests.length > 0 && (
          <section className={styles.panel}>
            <h2>{t('cancellation.requests')}</h2>
            <ul className={styles.plainList}>
              {plan.requests.map((request) => (
                <li key={request.id}>
                  {t('cancellation.request', { count: request.pieces, at: request.requestedAt, state: request.stateLabel })}
                  {request.note && <p className={styles.quiet}>{request.note}</p>}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Container>
  )
}

function ChoiceStep({ plan, reason, context: { t, pathname } }: { plan: Plan; reason: string | null; context: ShopContext }): ReactNode {
  return (
    <section className={styles.panel}>
      <form method="get" action={pathname}>
        <p>{t('cancellation.intro')}</p>
        <ul className={styles.plainList}>
          {plan.lines.map((line) => {
            const most = line.now + line.onRequest
            return (
              <li key={line.offerId} className={styles.part}>
                <div className={styles.miniLine}>
                  <img src={line.imageUrl} alt="" width={64} height={64} />
                  <div>
                    <p className={styles.miniTitle}>{line.title}</p>
                    <p className={styles.quiet}>
                      {most === 0 ? t('cancellation.too-late') : t(line.now > 0 ? 'cancellation.now' : 'cancellation.on-request')}
                    </p>
                  </div>
                </div>
                {most > 0 && (
                  <Select
                    name={chosenName(line.offerId)}
                    label={t('cancellation.quantity', { title: line.title })}
                    quiet
                    options={Array.from({ length: most + 1 }, (_, count) => ({
                      value: String(count),
                      label: count === 0 ? t('cancellation.keep') : t('cancellation.option', { count }),
                    }))}
                    // Whoever ordered a single thing came to cancel it.
                    defaultValue={String(line.chosenNow + line.chosenOnRequest || (plan.lines.length === 1 ? most : 0))}
                  />
                )}
              </li>
            )
          })}
        </ul>
        <Select
          id="reason"
          name={field('reason')}
          label={t('cancellation.reason')}
          options={reasons.map((value) => ({ value, label: t(`cancellation.reason.${value}`) }))}
          defaultValue={reason ?? 'changed-mind'}
        />
        <p>
          <Button size="l">{t('cancellation.continue')}</Button>
        </p>
      </form>
    </section>
  )
}

interface SummaryProps {
  plan: Plan
  reason: (typeof reasons)[number] | null
  customerOrderId: string
  sellerOrderId: string
  context: ShopContext
}

function SummaryStep({ plan, reason, customerOrderId, sellerOrderId, context: { t } }: SummaryProps): ReactNode {
  const here = paths.orderCancellationRecap({ customerOrderId, sellerOrderId })
  const parts = [
    { of: 'chosenNow', title: t('cancellation.part-now'), label: t('cancellation.refund-now'), refund: plan.refundNow },
    { of: 'chosenOnRequest', title: t('cancellation.part-asked'), label: t('cancellation.refund-asked'), refund: plan.refundOnRequest },
  ] as const
  return (
    <section className={styles.panel}>
      <form method="post" action={here}>
        {parts.map(({ of, title, label, refund }) => {
          const lines = plan.lines.filter((line) => line[of] > 0)
          return lines.length === 0 ? null : (
            <div key={of} className={styles.part}>
              <h2>{title}</h2>
              <ul className={styles.plainList}>
                {lines.map((line) => (
                  <li key={line.offerId}>{t('cancellation.line-now', { count: line[of], title: line.title })}</li>
                ))}
              </ul>
              <p className={styles.headRow}>
                <span>{label}</span>
                <strong>{refund.formatted}</strong>
              </p>
            </div>
          )
        })}
        <p className={styles.quiet}>{t('cancellation.delay')}</p>
        {reason && <p>{t('cancellation.reason-is', { reason: t(`cancellation.reason.${reason}`) })}</p>}
        <input type="hidden" name={field('reason')} value={reason ?? ''} />
        {plan.lines.map((line) => (
          <input key={line.offerId} type="hidden" name={field(`lines.${line.offerId}`)} value={line.chosenNow + line.chosenOnRequest} />
        ))}
        <p className={styles.actions}>
          <Button size="l">{t('cancellation.confirm')}</Button>
          <ButtonLink href={here} look="secondary">
            {t('cancellation.change')}
          </ButtonLink>
        </p>
      </form>
    </section>
  )
}
