import type { ReactNode } from 'react'
import styles from '../checkout/checkout.module.css'
import type { OrderDisputesQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'

type OrderDispute = NonNullable<OrderDisputesQuery['disputesOfOrder']>[number]

/** The disputes about an order with their states; nothing when there are none. */
export function DisputeList({ disputes, context: { t } }: { disputes: readonly OrderDispute[]; context: ShopContext }): ReactNode {
  if (disputes.length === 0) return null
  return (
    <section className={styles.panel} id="disputes">
      <h2>{t('dispute.list.title')}</h2>
      <ul className={styles.plainList}>
        {disputes.map(({ orderId, messageId, number, state }) => (
          <li key={number}>
            <a href={paths.onlineSupportDispute({ orderId, messageId })}>
              {t('dispute.list.item', { number, state: t(`dispute.state.${state}`) })}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
