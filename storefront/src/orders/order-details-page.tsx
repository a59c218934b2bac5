import { Alert } from '@purlin/ui/alert.tsx'
import { ButtonLink } from '@purlin/ui/button.tsx'
import { Container, EmptyState, Summary } from '@purlin/ui/panel.tsx'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { BackToAccount } from '../account/account-frame.tsx'
import { AddressBlock } from '../checkout/address-block.tsx'
import { PickUpPointBlock } from '../checkout/opening-hours.tsx'
import styles from '../checkout/checkout.module.css'
import { Line, totalLines } from '../checkout/order-summary.tsx'
import { DisputeList } from '../disputes/dispute-list.tsx'
import {
  OrderDisputesDocument,
  OrderReferenceDocument,
  OrderRefundsDocument,
  OrderWithShipmentsDocument,
  OrderReturnsDocument,
  OrderTargetsDocument,
  type OrderFragment,
  type RefusalFragment,
  type ReturnDetailsFragment,
  type SellerOrderFragment,
  type ShipmentFragment,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import { findWithdrawable, PartActions } from '../returns/part-actions.tsx'
import { RefundList } from '../returns/refund-list.tsx'
import { ReturnList } from '../returns/return-list.tsx'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { Appointment } from './appointment.tsx'
import { NotListed } from './not-listed.tsx'
import { openByLink } from './open-by-link.ts'
import { OrderAgain, orderAction } from './order-again.tsx'
import { OrderReferencePart } from './order-reference.tsx'
import { DeliveryStages, isUnderway, badgeOf } from './delivery-stages.tsx'
import { PiecesByState, SellerDue, ShipmentParcels } from './shipment-parcels.tsx'

export async function load(context: ShopContext) {
  const { customerOrderId = '', sellerOrderId = '' } = context.params
  const { access } = context.query
  if (typeof access === 'string') {
    const opened = await openByLink(context, access, ({ id, sellerOrders: [first] }) =>
      first ? paths.orderDetails({ customerOrderId: id, sellerOrderId: first.id }) : null,
    )
    return opened ?? { data: null, title: context.t('checkout.link.title'), robots: 'noindex', status: 404 }
  }
  const [{ customerOrder: order }, { refundsOfOrder: refunds }, { returnsOfOrder: returns }, { disputesOfOrder: disputes }] =
    await Promise.all([
      context.client.query(OrderWithShipmentsDocument, { id: customerOrderId }),
      context.client.query(OrderRefundsDocument, { customerOrderId }),
      context.client.query(OrderReturnsDocument, { customerOrderId }),
      context.client.query(OrderDisputesDocument, { customerOrderId }),
    ])
  // A part of somebody else's order does not exist here, even next to an order of one's own (A2).
  if (!order?.sellerOrders.some(({ id }) => id === sellerOrderId)) return notFound()
  const { kind } = await context.principal()
  const hasAccount = kind !== 'guest'
  const reference = kind === 'member' ? (await context.client.query(OrderReferenceDocument, { customerOrderId })).orderReference : null
  const targets = reference?.canChange ? (await context.client.query(OrderTargetsDocument)).companySites : null
  const withdrawable = await findWithdrawable(context, order)
  return {
    data: {
      order,
      sellerOrderId,
      hasAccount,
      reference,
      targets,
      refunds: refunds ?? [],
      returns: returns ?? [],
      withdrawable,
      disputes: disputes ?? [],
    },
    title: context.t('checkout.order.title', { id: order.id }),
    robots: 'noindex',
  }
}

export const action = orderAction

/** One order: each seller's part with its state, the addresses, the totals. */
export function Page({ data, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t, locale, formats } = context
  if (data === null) return <NoSuchLink context={context} />
  const { order, sellerOrderId, hasAccount, reference, targets, refunds, returns, withdrawable, disputes } = data
  const isReference = typed?.get('do') === 'refer'
  const isOpen = order.state === 'AWAITING_PAYMENT'
  return (
    <Container>
      {hasAccount && <BackToAccount to={paths.myOrders()} label={t('account.orders')} />}
      <div className={styles.withSummary}>
        <div>
          <p className={styles.kicker}>{order.stateLabel}</p>
          <h1>{t('checkout.order.title', { id: order.id })}</h1>
          {order.placedAt && <p>{t('checkout.order.placed', { date: formats.dateTime(order.placedAt) })}</p>}
          {hasAccount && !order.isInMyOrders && <NotListed email={order.email} t={t} />}
          {order.replaces && <Replaces replaced={order.replaces} context={context} />}
          {isOpen && order.payment && (
            <p className={styles.pay}>
              <ButtonLink href={paths.payment({ customerOrderId: order.id })}>{t('checkout.order.payNow')}</ButtonLink>
              {order.holdsUntil && t('checkout.payment.until', { time: formats.time(order.holdsUntil) })}
            </p>
          )}
          {order.state === 'CANCELLED' && <Cancelled order={order} context={context} />}
          {order.sellerOrders.map((part, index) => (
            <Part
              key={part.id}
              part={part}
              shipment={order.shipments.find(({ sellerOrderId: id }) => id === part.id)}
              order={order}
              returns={returns}
              offersWithdrawal={withdrawable.includes(part.id)}
              number={index + 1}
              total={order.sellerOrders.length}
              isHere={part.id === sellerOrderId}
              context={context}
            />
          ))}
          <DisputeList disputes={disputes} context={context} />
          <ReturnList returns={returns} context={context} />
          <RefundList refunds={refunds} context={context} />
          {reference && <OrderReferencePart reference={reference} targets={targets} refusal={refusal} typed={typed} context={context} />}
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
        <Summary title={t('checkout.summary.title')} lines={totalLines(order.totals, t, order.couponCode)}>
          {order.payment?.isCaptured && order.state !== 'AUTHORISED' && (
            <p className={styles.quiet}>
              {t('checkout.order.paidWith', { way: order.payment.method === 'invoice' ? 'INVOICE' : (order.payment.paidWith ?? 'other') })}
            </p>
          )}
          {order.isPaid && <OrderAgain refusal={isReference ? undefined : refusal} context={context} />}
        </Summary>
      </div>
    </Container>
  )
}

/** Leads from a replacement to the order it replaces. */
function Replaces({ replaced, context: { t } }: { replaced: NonNullable<OrderFragment['replaces']>; context: ShopContext }): ReactNode {
  const link = { order: (text: ReactNode) => <a href={paths.orderDetails(replaced)}>{text}</a> }
  return <p>{t.rich('checkout.order.replaces', link, { id: replaced.customerOrderId })}</p>
}

/** Why nothing will be delivered, what happened to the money, and what to do next. */
function Cancelled({ order, context: { t } }: { order: OrderFragment; context: ShopContext }): ReactNode {
  if (order.payment?.isCaptured) {
    return (
      <Alert severity="info" title={t('checkout.order.cancelled.title')}>
        <p>{t('checkout.order.cancelled.text')}</p>
      </Alert>
    )
  }
  return (
    <Alert severity="info" title={t('checkout.order.unpaid.title')}>
      <p>{t('checkout.order.unpaid.text')}</p>
      <p>
        <a href={paths.cart()}>{t('checkout.payment.backToCart')}</a>
      </p>
    </Alert>
  )
}

/** Wrong, truncated and expired links look alike on purpose: nobody learns which orders exist. */
function NoSuchLink({ context: { t } }: { context: ShopContext }): ReactNode {
  return (
    <Container>
      <EmptyState
        icon="info"
        heading="h1"
        title={t('checkout.link.title')}
        actions={<ButtonLink href="/">{t('checkout.receipt.continue')}</ButtonLink>}
      >
        <p>{t('checkout.link.text')}</p>
      </EmptyState>
    </Container>
  )
}

interface PartProps {
  part: SellerOrderFragment
  /** Undefined before payment. */
  shipment: ShipmentFragment | undefined
  order: OrderFragment
  returns: readonly ReturnDetailsFragment[]
  offersWithdrawal: boolean
  number: number
  total: number
  isHere: boolean
  context: ShopContext
}

function Part({ part, shipment, order, returns, offersWithdrawal, number, total, isHere, context }: PartProps): ReactNode {
  const { t } = context
  const about = { customerOrderId: order.id, sellerOrderId: part.id }
  // The sellers' parts start once the money has arrived; until then they show the order's state.
  const state = part.state === 'AWAITING_PAYMENT' ? order.stateLabel : part.stateLabel
  return (
    <section className={styles.panel} id={part.id} aria-current={isHere && total > 1 ? 'true' : undefined}>
      <div className={styles.headRow}>
        <h2>
          {total > 1
            ? t('checkout.order.part', { number, total, seller: part.seller.name })
            : t('checkout.delivery.soldBy', { seller: part.seller.name })}
        </h2>
        <p className={badgeOf(part.state)}>{state}</p>
      </div>
      {shipment && <DeliveryStages state={part.state} shipment={shipment} context={context} />}
      {isUnderway(part.state) && (
        <p>
          <b>{part.deliveryPromise}</b> · {part.deliveryLabel}
        </p>
      )}
      <Appointment part={part} shipment={shipment} customerOrderId={order.id} context={context} />
      {part.pickUpPoint && <PickUpPointBlock point={part.pickUpPoint} t={t} />}
      <ul className={styles.miniLines}>
        {part.lines.map((line) => (
          <Line key={line.offerId} line={line} order={order} t={t} isLinked />
        ))}
      </ul>
      {shipment && (
        <>
          <PiecesByState shipment={shipment} context={context} />
          <SellerDue shipment={shipment} context={context} />
          {shipment.parcels.length > 0 && (
            <ShipmentParcels shipment={shipment} part={part} isPaid={!order.replaces} context={context} withEvents={false} />
          )}
        </>
      )}
      {part.state !== 'AWAITING_PAYMENT' && (
        <p className={styles.actions}>
          {shipment && (
            <ButtonLink href={paths.shipmentDetails(about)} look="secondary">
              {t('shipment.details')}
            </ButtonLink>
          )}
          <ButtonLink href={paths.conversation({ orderId: part.id })} look="secondary">
            {t('messages.write', { seller: part.seller.name })}
          </ButtonLink>
        </p>
      )}
      <PartActions part={part} returns={returns} offersWithdrawal={offersWithdrawal} order={order} context={context} />
      <p className={styles.quiet}>
        <a href={part.seller.url}>{part.seller.name}</a> ·{' '}
        {t.rich(
          'checkout.order.contactSeller',
          { email: (address) => <a href={`mailto:${part.seller.email}?subject=${encodeURIComponent(part.id)}`}>{address}</a> },
          { email: part.seller.email },
        )}
      </p>
    </section>
  )
}
