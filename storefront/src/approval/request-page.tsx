import { Alert } from '@purlin/ui/alert.tsx'
import { Button } from '@purlin/ui/button.tsx'
import { Select, TextArea } from '@purlin/ui/field.tsx'
import { Facts } from '@purlin/ui'
import { fieldsOf, formAction } from '@purlin/web/form-action.ts'
import { choice, optionalLines, optionalText } from '@purlin/web/form-input.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import { queryText } from '@purlin/web/query-text.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import styles from '../checkout/checkout.module.css'
import { FunnelSteps } from '../checkout/funnel-steps.tsx'
import {
  ApprovalNeedDocument,
  ApprovalOfOrderDocument,
  InvoicesTakenDocument,
  RequestApprovalDocument,
  type RefusalFragment,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { readPoints } from './chosen-points.ts'
import { Limits } from './limits.tsx'

const requestForm = v.object({ payBy: choice(['CARD', 'INVOICE']), note: optionalLines(500), points: optionalText(500) })

export async function load(context: ShopContext) {
  const { customerOrderId = '' } = context.params
  const { approvalNeed: need } = await context.client.query(ApprovalNeedDocument, { customerOrderId })
  if (!need) return elsewhere(context, customerOrderId)
  if (need.limits.length === 0) return redirect(302, paths.delivery({ customerOrderId }))
  const { myCredit } = await context.client.query(InvoicesTakenDocument)
  const points = queryText(context.query, 'points')
  return { data: { need, takesInvoice: myCredit?.reason === null, points }, title: context.t('approval.request.title'), robots: 'noindex' }
}

/** An order that was requested is on the page of its request, and a placed one in the checkout: by the Back button, or from a page left open. */
async function elsewhere({ client }: ShopContext, customerOrderId: string) {
  const { orderReference } = await client.query(ApprovalOfOrderDocument, { customerOrderId })
  if (!orderReference) return notFound()
  const { approvalId } = orderReference
  return redirect(302, approvalId ? paths.approval({ id: approvalId }) : paths.delivery({ customerOrderId }))
}

export const action = formAction(requestForm, async (context: ShopContext, { payBy, note, points }) => {
  const { customerOrderId = '' } = context.params
  const sent = (await context.client.mutate(RequestApprovalDocument, { customerOrderId, payBy, note, points: readPoints(points ?? '') }))
    ?.requestApproval
  if (sent?.id) return redirect(303, paths.approval({ id: sent.id }), { severity: 'success', key: 'flash.approval-requested' })
  if (sent?.refusal?.reason === 'cart-changed') return redirect(303, paths.cart())
  if (sent?.refusal?.reason === 'approval-not-needed') return redirect(303, paths.delivery({ customerOrderId }))
  return sent?.refusal ? refuse(sent.refusal, 409) : notFound()
})

/** An order beyond the buyer's limits: what it exceeds, and the request to those who may approve it. */
export function Page({
  data: { need, takesInvoice, points },
  context,
  refusal,
  typed,
}: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const field = fieldsOf(requestForm, { typed, refusal, known: (name) => (name === 'payBy' ? (takesInvoice ? 'INVOICE' : 'CARD') : '') })
  const payBy = field('payBy')
  const facts = [
    { label: t('approval.site'), value: need.site },
    { label: t('order-reference.purchase-order'), value: need.purchaseOrder },
    { label: t('order-reference.cost-centre'), value: need.costCentre },
    { label: t('approval.total'), value: need.total.formatted },
  ]
  return (
    <div className={styles.narrow}>
      <FunnelSteps current="identity" t={t} />
      <h1>{t('approval.request.title')}</h1>
      {refusal && (
        <Alert severity="danger" announces>
          {refusal.message}
          {refusal.reason.startsWith('pick-up-point') && (
            <p>
              <a href={paths.delivery({ customerOrderId: context.params['customerOrderId'] ?? '' })}>{t('checkout.delivery.title')}</a>
            </p>
          )}
        </Alert>
      )}
      <section className={styles.panel} aria-labelledby="limits">
        <h2 id="limits">{t('approval.limits')}</h2>
        <Limits limits={need.limits} context={context} />
        <Facts facts={facts.flatMap(({ label, value }) => (value === null ? [] : [{ label, value }]))} />
      </section>
      <section className={styles.panel} aria-labelledby="request">
        <h2 id="request">{t('approval.request.heading')}</h2>
        <p>{t('approval.request.text')}</p>
        <form method="post">
          <input type="hidden" name={field('points').name} value={typed?.get('points') ?? points} />
          <Select
            id={payBy.id}
            name={payBy.name}
            defaultValue={payBy.defaultValue}
            label={t('approval.pay-by')}
            options={[
              ...(takesInvoice ? [{ value: 'INVOICE', label: t('approval.pay-by.invoice') }] : []),
              { value: 'CARD', label: t('approval.pay-by.card') },
            ]}
          />
          <TextArea {...field('note')} label={t('approval.note')} rows={3} maxLength={500} optional={t('approval.optional')} />
          <Button size="l" wide>
            {t('approval.request.do')}
          </Button>
        </form>
        <p>
          <a href={paths.cart()}>{t('checkout.payment.backToCart')}</a>
        </p>
      </section>
    </div>
  )
}
