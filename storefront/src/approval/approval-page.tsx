import { randomUUID } from 'node:crypto'
import { Alert, Button, ButtonLink } from '@purlin/ui'
import { formAction } from '@purlin/web/form-action.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import styles from '../account/account.module.css'
import {
  ApprovalDocument,
  DecideApprovalDocument,
  ExchangeApprovalPointsDocument,
  OrderApprovedDocument,
  ReturnApprovalToCartDocument,
  type ApprovalFragment,
  type RefusalFragment,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { PickUpPoints } from '../checkout/pick-up-points.tsx'
import { pointsNear, type PointsNear } from '../checkout/points-near.ts'
import { approvalField as field, approvalForm, decisionInput } from './approval-form.ts'
import { ApprovalView, DecisionForm } from './approval-view.tsx'

export async function load(context: ShopContext) {
  const { approval } = await context.client.query(ApprovalDocument, { id: context.params['id'] ?? '' })
  if (!approval) return notFound()
  const isPickedUp = approval.exchangeable.length > 0
  const points = isPickedUp ? await pointsNear(context, approval.address?.postcode ?? null) : null
  return { data: { approval, points, idempotencyKey: randomUUID() }, title: context.t('approval.title'), robots: 'noindex' }
}

export const action = formAction(approvalForm, async ({ client, params }: ShopContext, input) => {
  const id = params['id'] ?? ''
  if (input.do === 'order' || input.do === 'order-by-invoice') {
    const { approval } = await client.query(ApprovalDocument, { id })
    if (!approval) return notFound()
    const payBy = input.do === 'order' ? 'CARD' : 'INVOICE'
    const refusal = (await client.mutate(OrderApprovedDocument, { id, key: input.idempotencyKey, payBy }))?.orderApproved.refusal
    return refusal ? refuse(refusal, 409) : redirect(303, paths.payment({ customerOrderId: approval.customerOrderId }))
  }
  if (input.do === 'points') {
    const chosen = Object.entries(input.point).map(([sellerId, pointId]) => ({ sellerId: Number(sellerId), pointId }))
    if (chosen.some(({ sellerId }) => !Number.isInteger(sellerId))) return notFound()
    const refusal = (await client.mutate(ExchangeApprovalPointsDocument, { id, points: chosen }))?.result.refusal
    return refusal ? refuse(refusal, 409) : redirect(303, paths.approval({ id }), { severity: 'success', key: 'flash.approval-point' })
  }
  if (input.do === 'return') {
    const returned = (await client.mutate(ReturnApprovalToCartDocument, { id }))?.result
    if (returned?.refusal) return refuse(returned.refusal, 409)
    return returned?.left.length
      ? redirect(303, paths.approval({ id }), { severity: 'warning', key: 'flash.approval-returned-in-part' })
      : redirect(303, paths.cart(), { severity: 'success', key: 'flash.approval-returned' })
  }
  const refusal = (await client.mutate(DecideApprovalDocument, { id, decision: decisionInput(input) }))?.result.refusal
  if (refusal) return refuse(refusal, 409)
  return redirect(303, paths.approval({ id }), { severity: 'success', key: 'flash.approval-decided' })
})

/** A request in the account: approvers decide here, buyers follow it. */
export function Page({
  data: { approval, points, idempotencyKey },
  context,
  refusal,
  typed,
}: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t, formats } = context
  const { state, isYours, payBy, isOrderOpen, canReturn, left, customerOrderId, sellerOrderId } = approval
  return (
    <AccountFrame
      context={context}
      here="approvals"
      title={t('approval.title')}
      back={{ to: paths.approvals(), label: t('approval.list.title') }}
    >
      {refusal && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      {isYours && <PaymentNote approval={approval} context={context} />}
      <ApprovalView approval={approval} context={context} />
      {approval.canDecide && <DecisionForm approval={approval} context={context} refusal={refusal} typed={typed} />}
      {state === 'PENDING' && !approval.canDecide && !isYours && <p className={styles.quiet}>{t('approval.not-yours')}</p>}
      {sellerOrderId !== null && !isOrderOpen && (
        <p>
          <ButtonLink href={paths.orderDetails({ customerOrderId, sellerOrderId })}>{t('approval.see-order')}</ButtonLink>
        </p>
      )}
      <Exchange approval={approval} points={points} isOpen={refusal?.reason.startsWith('pick-up-point') === true} context={context} />
      {isYours && state === 'APPROVED' && isOrderOpen && (
        <form method="post" className={styles.actions}>
          <input type="hidden" name={field('idempotencyKey')} value={idempotencyKey} />
          {sellerOrderId === null ? (
            <>
              <Button size="l" name={field('do')} value="order">
                {t('approval.order-now')}
              </Button>
              {payBy === 'INVOICE' && (
                <Button size="l" look="secondary" name={field('do')} value="order-by-invoice">
                  {t('approval.order-by-invoice')}
                </Button>
              )}
            </>
          ) : (
            <ButtonLink href={paths.payment({ customerOrderId })}>{t('approval.see-payment')}</ButtonLink>
          )}
        </form>
      )}
      {approval.canOrder && (
        <form method="post">
          <input type="hidden" name={field('idempotencyKey')} value={idempotencyKey} />
          <p>{t('approval.within-limits')}</p>
          <Button size="l" name={field('do')} value="order">
            {t('approval.order-now')}
          </Button>
        </form>
      )}
      {isYours && state === 'UNNEEDED' && isOrderOpen && sellerOrderId !== null && (
        <p>
          <ButtonLink href={paths.payment({ customerOrderId })}>{t('approval.see-payment')}</ButtonLink>
        </p>
      )}
      {canReturn && (
        <form method="post">
          {left.length > 0 && <p>{t('approval.left', { goods: formats.list(left) })}</p>}
          <Button look="secondary" name={field('do')} value="return">
            {t(state === 'PENDING' ? 'approval.withdraw' : state === 'APPROVED' && isOrderOpen ? 'approval.give-up' : 'approval.return')}
          </Button>
        </form>
      )}
    </AccountFrame>
  )
}

interface NoteProps {
  approval: ApprovalFragment
  context: ShopContext
}

/** For the buyer of an approved order: what its payment waits for, or that it came to nothing, and the way on. */
function PaymentNote({ approval: { payment, state, isOrderOpen, expiresAt }, context: { t } }: NoteProps): ReactNode {
  if (payment === null || payment === 'OPEN') return null
  const [title, text] = {
    DECLINED: [t('approval.payment.declined'), t('approval.payment.declined.text')],
    UNDECIDED: [t('approval.payment.undecided'), t('approval.payment.undecided.text')],
    MISSED: [
      t('approval.payment.missed'),
      state === 'APPROVED' && isOrderOpen ? t('approval.payment.missed.text', { until: expiresAt }) : t('approval.payment.missed.ended'),
    ],
  }[payment]
  return (
    <Alert severity="warning" title={title}>
      <p>{text}</p>
    </Alert>
  )
}

interface ExchangeProps {
  approval: ApprovalFragment
  points: PointsNear | null
  isOpen: boolean
  context: ShopContext
}

/** Another pick-up point for the buyer's own request, as long as the order is not placed. */
function Exchange({ approval: { exchangeable }, points, isOpen, context }: ExchangeProps): ReactNode {
  const { t } = context
  if (exchangeable.length === 0) return null
  return (
    <details className={styles.card} open={isOpen || points?.isSearched === true}>
      <summary>{t('approval.pick-up.exchange')}</summary>
      <form method="post" className={styles.part}>
        {exchangeable.map(({ sellerId, seller, pointId }) => (
          <fieldset key={sellerId}>
            <legend>{t('checkout.delivery.soldBy', { seller })}</legend>
            <PickUpPoints sellerId={sellerId} found={points} name={field(`point.${sellerId}`)} chosen={pointId} context={context} />
          </fieldset>
        ))}
        <p>
          <Button name={field('do')} value="points">
            {t('approval.pick-up.choose')}
          </Button>
        </p>
      </form>
      <form id="near" method="get" />
    </details>
  )
}
