import { Container } from '@purlin/ui/panel.tsx'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { BackToAccount } from '../account/account-frame.tsx'
import funnel from '../checkout/checkout.module.css'
import { Line } from '../checkout/order-summary.tsx'
import { OrderWithShipmentsDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { Appointment } from './appointment.tsx'
import { DeliveryStages, isUnderway } from './delivery-stages.tsx'
import styles from './orders.module.css'
import { PiecesByState, SellerDue, ShipmentHistory, ShipmentParcels } from './shipment-parcels.tsx'

export async function load(context: ShopContext) {
  const { customerOrderId = '', sellerOrderId = '' } = context.params
  const { customerOrder: order } = await context.client.query(OrderWithShipmentsDocument, { id: customerOrderId })
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  const shipment = order?.shipments.find((each) => each.sellerOrderId === sellerOrderId)
  // Another's order, a part of another order, and an order that nobody has paid for yet look alike.
  if (!order || !part || !shipment) return notFound()
  const hasAccount = (await context.principal()).kind !== 'guest'
  return {
    data: { order, part, shipment, hasAccount },
    title: context.t('shipment.title', { seller: part.seller.name }),
    robots: 'noindex',
  }
}

/** One seller's part of an order: its parcels with the carrier's reports, and everything that has happened to it. */
export function Page({ data: { order, part, shipment, hasAccount }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <Container>
      <div className={styles.single}>
        <BackToAccount to={paths.orderDetails({ customerOrderId: order.id, sellerOrderId: part.id })} label={t('shipment.back')} />
        <p className={funnel.kicker}>{part.stateLabel}</p>
        <h1>{t('shipment.title', { seller: part.seller.name })}</h1>
        <DeliveryStages state={part.state} shipment={shipment} context={context} />
        {part.appointment && isUnderway(part.state) && <p>{part.deliveryPromise}</p>}
        <Appointment part={part} shipment={shipment} customerOrderId={order.id} context={context} />
        <PiecesByState shipment={shipment} context={context} />
        <SellerDue shipment={shipment} context={context} />
        {hasAccount && (
          <p className={styles.links}>
            <a href={paths.onlineSupportFollowDelivery({ orderId: part.id })}>{t('shipment.follow')}</a>
          </p>
        )}
        <section className={funnel.panel} aria-labelledby="parcels">
          <h2 id="parcels">{t('shipment.parcels')}</h2>
          <ShipmentParcels shipment={shipment} part={part} isPaid={!order.replaces} context={context} withEvents />
        </section>
        <section className={funnel.panel} aria-labelledby="goods">
          <h2 id="goods">{t('checkout.order.title', { id: order.id })}</h2>
          <ul className={funnel.miniLines}>
            {part.lines.map((line) => (
              <Line key={line.offerId} line={line} order={order} t={t} isLinked />
            ))}
          </ul>
        </section>
        <section className={funnel.panel} aria-labelledby="history">
          <h2 id="history">{t('shipment.history')}</h2>
          <ShipmentHistory shipment={shipment} part={part} context={context} />
        </section>
      </div>
    </Container>
  )
}
