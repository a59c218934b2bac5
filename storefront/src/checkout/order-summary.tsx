import { Summary, type SummaryLine } from '@purlin/ui/panel.tsx'
import type { ReactNode } from 'react'
import styles from './checkout.module.css'
import type { OrderFragment, OrderLineFragment, OrderTotalsFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { pointText } from './opening-hours.tsx'

type Words = ShopContext['t']

/** The figures of an order: the coupon by its code (V-38), VAT by rate, and the amount to pay last. */
export function totalLines(totals: OrderTotalsFragment, t: Words, code: string | null | undefined): SummaryLine[] {
  const lines: SummaryLine[] = [
    { label: t('checkout.summary.goods'), value: totals.goods.formatted },
    {
      label: t('checkout.summary.delivery'),
      value: totals.delivery.amount === 0 ? t('checkout.delivery.free') : totals.delivery.formatted,
    },
  ]
  if (totals.discount.amount !== 0)
    lines.push({
      label: code ? t('cart.coupon-line', { code }) : t('checkout.summary.discount'),
      value: `−${totals.discount.formatted}`,
      look: 'good',
    })
  lines.push({ label: t('checkout.summary.net'), value: totals.totalWithoutVat.formatted, look: 'quiet' })
  for (const { rate, vat } of totals.vatLines)
    lines.push({ label: t('checkout.summary.vat', { rate }), value: vat.formatted, look: 'quiet' })
  lines.push({ label: t('checkout.summary.total'), value: totals.totalWithVat.formatted, look: 'total' })
  return lines
}

/** Summary of the order, next to the form of a step. */
export function OrderSummary({ order, t }: { order: OrderFragment; t: Words }): ReactNode {
  const lines = order.sellerOrders.flatMap((sellerOrder) => sellerOrder.lines)
  return (
    <Summary
      title={t('checkout.summary.title')}
      lines={totalLines(order.totals, t, order.couponCode)}
      goods={<Lines lines={lines} order={order} t={t} />}
    />
  )
}

/**
 * Everything the buyer is about to pay for: each seller's goods with quantity and price, their delivery and its
 * cost, the total with VAT, and the legal text last. Nothing may come between it and the order button
 * (2011/83/EU art. 8.2, § 312j BGB).
 */
export function OrderReview({ order, t, legal }: { order: OrderFragment; t: Words; legal: ReactNode }): ReactNode {
  const goods = order.sellerOrders.map(({ id, seller, lines, deliveryLabel, deliveryPromise, pickUpPoint, delivery }) => (
    <section key={id} className={styles.part}>
      <h3 className={styles.partTitle}>{t('checkout.delivery.soldBy', { seller: seller.name })}</h3>
      <Lines lines={lines} order={order} t={t} />
      <p className={styles.partDelivery}>
        <span>
          {deliveryLabel}
          <span className={styles.quiet}> · {deliveryPromise}</span>
          {pickUpPoint && <span className={styles.point}>{pointText(pickUpPoint)}</span>}
        </span>
        <span className={styles.fee}>{delivery.amount === 0 ? t('checkout.delivery.free') : delivery.formatted}</span>
      </p>
    </section>
  ))
  return (
    <Summary title={t('checkout.summary.title')} lines={totalLines(order.totals, t, order.couponCode)} goods={goods}>
      {legal}
    </Summary>
  )
}

function Lines({ lines, order, t }: { lines: readonly OrderLineFragment[]; order: OrderFragment; t: Words }): ReactNode {
  return (
    <ul className={styles.miniLines}>
      {lines.map((line) => (
        <Line key={line.offerId} line={line} order={order} t={t} />
      ))}
    </ul>
  )
}

interface LineProps {
  line: OrderLineFragment
  order: Pick<OrderFragment, 'taxKey'>
  t: Words
  /** Links to the product; not while paying, where nothing may lead away. */
  isLinked?: boolean
}

/** One line, in the order's tax mode, so that lines add up even with sellers from several countries. */
export function Line({ line, order, t, isLinked }: LineProps): ReactNode {
  return (
    <li className={styles.miniLine}>
      <img src={line.imageUrl} alt="" width={56} height={56} loading="lazy" />
      <div>
        <p className={styles.miniTitle}>{isLinked ? <a href={line.url}>{line.title}</a> : line.title}</p>
        <p className={styles.quiet}>{t('checkout.summary.quantity', { quantity: line.quantity })}</p>
      </div>
      <p>{(order.taxKey === 'with_vat' ? line.totalWithVat : line.total).formatted}</p>
    </li>
  )
}

/** On phones the summary is below the form: this shows the total at the top and links to it. */
export function SummaryLink({ order, t }: { order: OrderFragment; t: Words }): ReactNode {
  return (
    <a className={styles.summaryLink} href="#summary-title">
      {t('checkout.summary.show', { total: order.totals.totalWithVat.formatted })}
    </a>
  )
}
