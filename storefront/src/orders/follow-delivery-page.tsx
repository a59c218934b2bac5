import { Container } from '@purlin/ui/panel.tsx'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { BackToAccount } from '../account/account-frame.tsx'
import funnel from '../checkout/checkout.module.css'
import { PickUpPointBlock } from '../checkout/opening-hours.tsx'
import { Line } from '../checkout/order-summary.tsx'
import { OrderWithShipmentsDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { Appointment } from './appointment.tsx'
import { DeliveryStages, isUnderway, badgeOf } from './delivery-stages.tsx'
import styles from './orders.module.css'
import { PiecesByState, SellerDue, ShipmentParcels } from './shipment-parcels.tsx'

/** The address names a whole order, or the part of one seller. */
export async function load(context: ShopContext) {
  const { orderId = '' } = context.params
  const customerOrderId = /^(.+)-\d+$/.exec(orderId)?.[1] ?? orderId
  const { customerOrder: order } = await context.client.query(OrderWithShipmentsDocument, { id: customerOrderId })
  const shipments = order?.shipments.flatMap((shipment) => {
    const part = order.sellerOrders.find(({ id }) => id === shipment.sellerOrderId)
    return part && (orderId === order.id || part.id === orderId) ? [{ part, shipment }] : []
  })
  if (!order || !shipments?.length) return notFound()
  return { data: { order, shipments }, title: context.t('shipment.follow.title'), robots: 'noindex' }
}

/** All parcels of an order, with what their carriers report. */
export function Page({ data: { order, shipments }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const sellerOrderId = shipments[0]?.part.id ?? ''
  return (
    <Container>
      <div className={styles.single}>
        <BackToAccount to={paths.orderDetails({ customerOrderId: order.id, sellerOrderId })} label={t('shipment.back')} />
        <p className={funnel.kicker}>{t('checkout.order.title', { id: order.id })}</p>
        <h1>{t('shipment.follow.title')}</h1>
        {shipments.map(({ part, shipment }) => (
          <section key={part.id} className={funnel.panel} aria-labelledby={part.id}>
            <div className={funnel.headRow}>
              <h2 id={part.id}>{t('shipment.title', { seller: part.seller.name })}</h2>
              <p className={badgeOf(part.state)}>{part.stateLabel}</p>
            </div>
            <DeliveryStages state={part.state} shipment={shipment} context={context} />
            {isUnderway(part.state) && <p>{part.deliveryPromise}</p>}
            <Appointment part={part} shipment={shipment} customerOrderId={order.id} context={context} />
            {part.pickUpPoint && <PickUpPointBlock point={part.pickUpPoint} t={t} />}
            <ul className={funnel.miniLines}>
              {part.lines.map((line) => (
                <Line key={line.offerId} line={line} order={order} t={t} isLinked />
              ))}
            </ul>
            <PiecesByState shipment={shipment} context={context} />
            <SellerDue shipment={shipment} context={context} />
            <ShipmentParcels shipment={shipment} part={part} isPaid={!order.replaces} context={context} withEvents />
          </section>
        ))}
      </div>
    </Container>
  )
}
