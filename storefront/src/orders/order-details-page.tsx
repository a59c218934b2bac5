import { ButtonLink } from '@purlin/ui/button.tsx'
import { Container, Summary } from '@purlin/ui/panel.tsx'
import { notFound, redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AddressBlock } from '../checkout/address-block.tsx'
import styles from '../checkout/checkout.module.css'
import { Line, totalLines } from '../checkout/order-summary.tsx'
import { openOrderByTokenMutation, orderQuery, type CustomerOrder, type SellerOrder } from '../checkout/order.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'

export async function load(context: ShopContext) {
  const { customerOrderId = '', sellerOrderId = '' } = context.params
  const { access } = context.query
  if (typeof access === 'string') return openByLink(context, access)
  const { customerOrder: order } = await context.client.query<{ customerOrder: CustomerOrder | null }>(orderQuery, { id: customerOrderId })
  // A part of somebody else's order does not exist here, even beside an order of one's own (A2).
  if (!order?.sellerOrders.some(({ id }) => id === sellerOrderId)) return notFound()
  return { data: { order, sellerOrderId }, title: context.t('checkout.order.title', { id: order.id }), robots: 'noindex' }
}

/** Exchanges the token of a mail's link for the right to see the order, and leaves the token out of the address. */
async function openByLink(context: ShopContext, token: string) {
  const answer = await context.client.mutate<{ openOrderByToken: { order: Pick<CustomerOrder, 'id' | 'sellerOrders'> | null } }>(
    openOrderByTokenMutation,
    { token },
  )
  const order = answer?.openOrderByToken.order
  const [first] = order?.sellerOrders ?? []
  return order && first ? redirect(302, paths.orderDetails({ customerOrderId: order.id, sellerOrderId: first.id })) : notFound()
}

/** One order: every seller's part with its state, the addresses, the figures. */
export function Page({ data: { order, sellerOrderId }, context }: PageProps<typeof load>): ReactNode {
  const { t, locale, formats } = context
  const isOpen = order.state === 'awaiting-payment'
  return (
    <Container>
      <div className={styles.withSummary}>
        <div>
          <p className={styles.kicker}>{order.stateLabel}</p>
          <h1>{t('checkout.order.title', { id: order.id })}</h1>
          {order.placedAt && <p>{t('checkout.order.placed', { date: formats.dateTime(order.placedAt) })}</p>}
          {isOpen && <ButtonLink href={paths.payment({ customerOrderId: order.id })}>{t('checkout.order.payNow')}</ButtonLink>}
          {order.sellerOrders.map((part, index) => (
            <Part
              key={part.id}
              part={part}
              order={order}
              number={index + 1}
              total={order.sellerOrders.length}
              isHere={part.id === sellerOrderId}
              context={context}
            />
          ))}
          <section className={styles.panel}>
            <div className={styles.pair}>
              <div>
                <h2>{t('checkout.order.deliveryAddress')}</h2>
                <AddressBlock address={order.address} locale={locale} />
              </div>
              <div>
                <h2>{t('checkout.order.billingAddress')}</h2>
                <AddressBlock address={order.billingAddress} locale={locale} />
              </div>
            </div>
          </section>
        </div>
        <Summary title={t('checkout.summary.title')} lines={totalLines(order.totals, t)}>
          {order.payment && !isOpen && order.state !== 'cancelled' && <p className={styles.quiet}>{t('checkout.order.paidWith')}</p>}
        </Summary>
      </div>
    </Container>
  )
}

interface PartProps {
  part: SellerOrder
  order: CustomerOrder
  number: number
  total: number
  isHere: boolean
  context: ShopContext
}

function Part({ part, order, number, total, isHere, context: { t } }: PartProps): ReactNode {
  return (
    <section className={styles.panel} id={part.id} aria-current={isHere && total > 1 ? 'true' : undefined}>
      <div className={styles.headRow}>
        <h2>{t('checkout.order.part', { number, total, seller: part.seller.name })}</h2>
        <p className={styles.state}>{part.stateLabel}</p>
      </div>
      <p className={styles.quiet}>
        {part.deliveryLabel}, {part.deliveryPromise}
      </p>
      <ul className={styles.miniLines}>
        {part.lines.map((line) => (
          <Line key={line.offerId} line={line} order={order} t={t} />
        ))}
      </ul>
      <p className={styles.quiet}>
        <a href={part.seller.url}>{part.seller.name}</a> · {t('checkout.order.contactSeller', { email: part.seller.email })}
      </p>
    </section>
  )
}
