import { cx } from '@purlin/ui/class-names.ts'
import type { ReactNode } from 'react'
import funnel from '../checkout/checkout.module.css'
import type { SellerOrderFragment, ShipmentFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './orders.module.css'

type State = SellerOrderFragment['state']
const stages = ['ordered', 'accepted', 'shipped', 'delivered'] as const

/** Number of stages reached in each state; a part that ended otherwise has none to show. */
const reached: Partial<Record<State, number>> = {
  PENDING: 1,
  ACCEPTED: 2,
  PREPARING: 2,
  SHIPPED: 3,
  INCIDENT_OPEN: 3,
  DELIVERED: 4,
  CLOSED: 4,
}

interface Props {
  state: State
  shipment: Pick<ShipmentFragment, 'history'>
  context: ShopContext
}

/** How far the delivery of a seller order has come. */
export function DeliveryStages({ state, shipment: { history }, context: { t } }: Props): ReactNode {
  const done = reached[state]
  // What was lost or returned is closed without having arrived. Orders of earlier releases have no history.
  const neverArrived = state === 'CLOSED' && history.length > 0 && history.every(({ to }) => to !== 'DELIVERED')
  if (done === undefined || neverArrived) return null
  return (
    <ol className={styles.stages} aria-label={t('shipment.stages')}>
      {stages.map((stage, index) => (
        <li key={stage} className={index < done ? styles.reached : undefined} aria-current={index === done - 1 ? 'step' : undefined}>
          {t(`shipment.stage.${stage}`)}
        </li>
      ))}
    </ol>
  )
}

/** Whether the promised days still lie ahead. */
export function isUnderway(state: State): boolean {
  return (reached[state] ?? 4) < 4
}

/** Classes of the badge of a state. */
export function badgeOf(state: State): string {
  const isEnded = state === 'CANCELLED' || state === 'REFUSED'
  return cx(funnel.state, isEnded && funnel.ended, (state === 'DELIVERED' || state === 'CLOSED') && styles.arrived)
}
