import { Alert, Button, Facts, Table, TextArea } from '@purlin/ui'
import { fieldsOf } from '@purlin/web/form-action.ts'
import type { FormFields } from '@purlin/web/form.ts'
import type { ReactNode } from 'react'
import styles from '../account/account.module.css'
import { AddressBlock } from '../checkout/address-block.tsx'
import { PickUpPointBlock } from '../checkout/opening-hours.tsx'
import type { ApprovalFragment, RefusalFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { decisionForm } from './approval-form.ts'
import { Limits } from './limits.tsx'

export const approvalStates = {
  PENDING: 'other',
  APPROVED: 'approved',
  REFUSED: 'refused',
  WITHDRAWN: 'withdrawn',
  EXPIRED: 'expired',
  UNNEEDED: 'unneeded',
} as const

interface Props {
  approval: ApprovalFragment
  context: ShopContext
}

/** A request with everything an approver needs to decide: the goods and their prices then and now, where they go, and who pays. */
export function ApprovalView({ approval, context }: Props): ReactNode {
  const { t, formats, locale } = context
  const {
    state,
    buyer,
    lines,
    delivery,
    discount,
    total,
    totalNow,
    isChanged,
    comment,
    decidedBy,
    decidedAt,
    note,
    address,
    pickUpPoints,
  } = approval
  const isOpen = state === 'PENDING' || (state === 'APPROVED' && approval.isOrderOpen && approval.sellerOrderId === null)
  const facts = [
    { label: t('approval.state.label'), value: t('approval.state', { state: approvalStates[state] }) },
    { label: t('approval.buyer'), value: buyer },
    { label: t('approval.requested'), value: formats.date(approval.requestedAt) },
    { label: t('approval.expires'), value: isOpen ? formats.date(approval.expiresAt) : null },
    { label: t('approval.site'), value: approval.site },
    { label: t('order-reference.purchase-order'), value: approval.purchaseOrder },
    { label: t('order-reference.cost-centre'), value: approval.costCentre },
    { label: t('approval.pay-by'), value: t(approval.payBy === 'INVOICE' ? 'approval.pay-by.invoice' : 'approval.pay-by.card') },
    { label: t('approval.note'), value: note },
    { label: t('approval.decided-by'), value: decidedBy },
    { label: t('approval.decided-at'), value: decidedBy && decidedAt && formats.date(decidedAt) },
    { label: t('approval.comment'), value: comment },
  ]
  const isGone = lines.some((line) => line.isGone)
  const amounts = [
    { label: t('approval.delivery'), value: delivery.formatted },
    ...(discount.amount === 0 ? [] : [{ label: t('approval.discount'), value: `−${discount.formatted}` }]),
    { label: t('approval.total'), value: total.formatted },
    // Without all of its goods the order has no total of today.
    ...(isChanged && totalNow && !isGone ? [{ label: t('approval.total-now'), value: totalNow.formatted }] : []),
  ]
  return (
    <>
      {state === 'PENDING' && (isChanged || isGone) && (
        <Alert severity="warning" title={t(isGone ? 'approval.gone' : 'approval.changed')}>
          <p>{t(isGone ? 'approval.gone.text' : 'approval.changed.text')}</p>
        </Alert>
      )}
      {state === 'UNNEEDED' && (
        <Alert severity="info" title={t('approval.unneeded')}>
          <p>{t('approval.unneeded.text')}</p>
        </Alert>
      )}
      <section className={styles.card} aria-labelledby="facts">
        <h2 id="facts">{t('approval.facts')}</h2>
        <Facts facts={facts.flatMap(({ label, value }) => (value ? [{ label, value }] : []))} />
        {address && <AddressBlock address={address} locale={locale} />}
        {pickUpPoints.length > 0 && (
          <>
            <h3>{t('approval.pick-up')}</h3>
            {pickUpPoints.map((point) => (
              <PickUpPointBlock key={point.id} point={point} t={t} />
            ))}
          </>
        )}
      </section>
      <section className={styles.card} aria-labelledby="limits">
        <h2 id="limits">{t('approval.limits')}</h2>
        <Limits limits={approval.limits} context={context} />
      </section>
      <section className={styles.card} aria-labelledby="goods">
        <h2 id="goods">{t('approval.goods')}</h2>
        <Table
          caption={t('approval.goods')}
          quietCaption
          rows={lines}
          keyOf={({ url, title }) => `${url} ${title}`}
          columns={[
            { key: 'title', label: t('approval.product'), isHead: true, cell: ({ url, title }) => <a href={url}>{title}</a> },
            { key: 'quantity', label: t('approval.quantity'), align: 'end', cell: ({ quantity }) => quantity },
            {
              key: 'price',
              label: t('approval.price'),
              align: 'end',
              cell: ({ unitPrice, newPrice, isGone: isOut }) =>
                isOut
                  ? t('approval.line-gone')
                  : newPrice
                    ? t('approval.line-changed', { then: unitPrice.formatted, now: newPrice.formatted })
                    : unitPrice.formatted,
            },
            { key: 'total', label: t('approval.sum'), align: 'end', cell: (line) => line.total.formatted },
          ]}
        />
        <Facts facts={amounts} />
      </section>
    </>
  )
}

interface DecisionProps extends Props {
  refusal: RefusalFragment | undefined
  typed: FormFields | undefined
}

/** Opening the page decides nothing: each decision is a button of this form. */
export function DecisionForm({ approval, context: { t }, refusal, typed }: DecisionProps): ReactNode {
  const field = fieldsOf(decisionForm, { typed, refusal, known: () => '' })
  const isGone = approval.lines.some((line) => line.isGone)
  return (
    <form method="post" className={`${styles.card} ${styles.form}`}>
      <h2>{t('approval.decide')}</h2>
      <input type="hidden" name={field('do').name} value="decide" />
      <input type="hidden" name={field('agreedTotal').name} value={String(approval.totalNow?.amount ?? approval.total.amount)} />
      <TextArea {...field('comment')} label={t('approval.comment')} rows={3} maxLength={500} optional={t('approval.optional')} />
      <p className={styles.actions}>
        {!isGone && (
          <Button size="l" name={field('decision').name} value="approve">
            {t('approval.approve', { total: (approval.totalNow ?? approval.total).formatted })}
          </Button>
        )}
        <Button size="l" look="secondary" name={field('decision').name} value="refuse">
          {t('approval.refuse')}
        </Button>
      </p>
    </form>
  )
}
