import type { ReactNode } from 'react'
import funnel from '../checkout/checkout.module.css'
import type { SellerOrderFragment, ShipmentFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './orders.module.css'
import { LostParcel } from '../support/lost-parcel.tsx'
import { ParcelEvents, ParcelStatus } from './parcel-view.tsx'

interface Props {
  shipment: ShipmentFragment
  part: SellerOrderFragment
  context: ShopContext
}

interface ParcelsProps extends Props {
  /** The order brings bought goods, none that are replaced or sent back. */
  isPaid: boolean
  /** Shows the carrier's reports in full. */
  withEvents: boolean
}

/** The parcels of a seller order with their contents. */
export function ShipmentParcels({ shipment, part, isPaid, context, withEvents }: ParcelsProps): ReactNode {
  const { t } = context
  const { parcels } = shipment
  if (parcels.length === 0) return <p className={funnel.quiet}>{t(none(part.state))}</p>
  return parcels.map((parcel, index) => (
    <article key={parcel.id} className={styles.parcel}>
      <h3>{t('shipment.parcel', { number: index + 1, total: parcels.length })}</h3>
      <ParcelStatus parcel={parcel} isSettled={part.state !== 'INCIDENT_OPEN'} isPaid={isPaid} context={context} />
      {parcel.state === 'LOST' && part.state === 'INCIDENT_OPEN' && <LostParcel orderId={part.id} context={context} />}
      {withEvents && (
        <>
          <h4>{t('shipment.contents')}</h4>
          <ul className={styles.contents}>
            {parcel.contents.map(({ offerId, quantity }) => (
              <li key={offerId}>{t('shipment.pieces', { count: quantity, state: titleOf(part, offerId) })}</li>
            ))}
          </ul>
          <h4>{t('shipment.events')}</h4>
          <ParcelEvents events={parcel.events} context={context} />
        </>
      )}
      <p>
        <a href={paths.trackMyParcel({ token: parcel.token })}>{t('shipment.track')}</a>
      </p>
    </article>
  ))
}

/** Why there is no parcel to see. */
function none(state: SellerOrderFragment['state']) {
  if (state === 'CANCELLED' || state === 'REFUSED') return 'shipment.none.ended'
  return ['SHIPPED', 'DELIVERED', 'INCIDENT_OPEN', 'CLOSED'].includes(state) ? 'shipment.none.sent' : 'shipment.none'
}

function titleOf({ lines }: SellerOrderFragment, offerId: string): string {
  return lines.find((line) => line.offerId === offerId)?.title ?? ''
}

/** Pieces by state, where they are not all in the same one. */
export function PiecesByState({ shipment, context: { t } }: Omit<Props, 'part'>): ReactNode {
  const sums = new Map<string, number>()
  for (const { stateLabel, quantity } of shipment.pieces) sums.set(stateLabel, (sums.get(stateLabel) ?? 0) + quantity)
  if (sums.size < 2) return null
  return (
    <ul className={styles.pieces}>
      {[...sums].map(([state, count]) => (
        <li key={state}>{t('shipment.pieces', { count, state })}</li>
      ))}
    </ul>
  )
}

/** When the seller's next step is due, or that it is overdue. */
export function SellerDue({ shipment: { due }, context: { t } }: Omit<Props, 'part'>): ReactNode {
  if (!due) return null
  if (due.isMissed) return <p className={funnel.quiet}>{t('shipment.due.missed')}</p>
  return <p className={funnel.quiet}>{t(due.kind === 'accept' ? 'shipment.due.accept' : 'shipment.due.ship', { at: due.at })}</p>
}

/** Every move of the seller order's pieces, oldest first. */
export function ShipmentHistory({ shipment, part, context: { t } }: Props): ReactNode {
  if (shipment.history.length === 0) return <p className={funnel.quiet}>{t('shipment.history.none')}</p>
  return (
    <ol className={styles.history}>
      {shipment.history.map(({ at, offerId, label, to }, index) => (
        // Moves of one moment differ by line and state; the list never reorders.
        <li key={`${at}${offerId}${to}${index}`}>
          {label}
          <small>
            <time dateTime={at}>{t('shipment.event.at', { at })}</time>
            {part.lines.length > 1 && ` · ${titleOf(part, offerId)}`}
          </small>
        </li>
      ))}
    </ol>
  )
}
