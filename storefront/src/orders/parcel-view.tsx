import { Alert } from '@purlin/ui/alert.tsx'
import { cx } from '@purlin/ui/class-names.ts'
import type { ReactNode } from 'react'
import funnel from '../checkout/checkout.module.css'
import type { ParcelEventFragment, ParcelFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './orders.module.css'

type Tracked = Pick<ParcelFragment, 'carrier' | 'trackingNumber' | 'state' | 'stateLabel' | 'expectedBy' | 'isLate' | 'readyUntil'> & {
  events: readonly ParcelEventFragment[]
}

interface Props {
  parcel: Tracked
  /** The goods of a lost parcel have been paid back or are sent again: what happens next is said elsewhere. */
  isSettled?: boolean
  /** Goods that were bought with the order are paid back if nobody collects them; of others, a mail says what becomes of them. */
  isPaid?: boolean
  context: ShopContext
}

/** State, expected day and the carrier's reports of a parcel. */
export function ParcelStatus({ parcel, isSettled = false, isPaid = false, context: { t } }: Props): ReactNode {
  const { carrier, trackingNumber, state, stateLabel, expectedBy, isLate, readyUntil } = parcel
  const isBad = state === 'LOST' || state === 'RETURNED'
  const uncollected = isPaid ? 'shipment.not-collected' : 'shipment.not-collected.unpaid'
  return (
    <>
      <p>
        <span className={cx(funnel.state, isBad && funnel.ended, state === 'DELIVERED' && styles.arrived)}>{stateLabel}</span>
      </p>
      {isBad && !(state === 'LOST' && isSettled) && (
        <Alert severity="info">
          <p>{t(state === 'LOST' ? 'shipment.lost' : readyUntil ? uncollected : 'shipment.returned')}</p>
        </Alert>
      )}
      {state === 'WAITING_FOR_YOU' && readyUntil && (
        <p>
          <b>{t('shipment.ready-until', { at: readyUntil })}</b>
        </p>
      )}
      {expectedBy && <p>{t(isLate ? 'shipment.late' : 'shipment.expected', { at: expectedBy })}</p>}
      <p className={funnel.quiet}>
        {trackingNumber ? t('shipment.carrier', { carrier, number: trackingNumber }) : t('shipment.carrier.soon', { carrier })}
      </p>
    </>
  )
}

/** The carrier's reports, newest first. */
export function ParcelEvents({ events, context: { t } }: { events: readonly ParcelEventFragment[]; context: ShopContext }): ReactNode {
  if (events.length === 0) return <p className={funnel.quiet}>{t('shipment.events.none')}</p>
  return (
    <ol className={styles.events}>
      {events.map(({ kind, label, at, place }) => (
        <li key={kind + at}>
          {label}
          <small>
            <time dateTime={at}>{t('shipment.event.at', { at })}</time>
            {place && ` · ${place}`}
          </small>
        </li>
      ))}
    </ol>
  )
}
