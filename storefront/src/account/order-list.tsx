import type { ReactNode } from 'react'
import type { OrderSummaryFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { tones } from './order-tones.ts'
import styles from './account.module.css'
import list from './order-list.module.css'

interface Props {
  orders: readonly OrderSummaryFragment[]
  context: ShopContext
  /** Level of the headings: below the page's title, or below a section's. */
  heading: 'h2' | 'h3'
}

/** Orders with the details by which people recognise them: state, date, recipient, contents, total. */
export function OrderList({ orders, context: { t, formats }, heading: Heading }: Props): ReactNode {
  return (
    <ul className={list.orders}>
      {orders.map((order) => (
        <li key={order.id} className={list.order}>
          <div className={list.orderHead}>
            <div className={list.stage}>
              <p className={`${styles.state} ${styles[tones[order.state]]}`}>{order.stateLabel}</p>
              {order.deliveryPromise && <p>{order.deliveryPromise}</p>}
            </div>
            <p className={styles.total}>{order.total.formatted}</p>
          </div>
          <Heading className={list.orderTitle}>
            <a href={paths.orderDetails({ customerOrderId: order.id, sellerOrderId: order.sellerOrderId })}>
              {t('account.orders.from', { date: formats.date(order.placedAt) })}
            </a>
          </Heading>
          <p className={styles.quiet}>
            {order.sellerNames.length > 0 && <>{formats.list(order.sellerNames)} · </>}
            <span className={list.number}>{t('account.orders.number', { id: order.id })}</span>
          </p>
          {order.replaces && <p className={styles.quiet}>{t('account.orders.replaces', { id: order.replaces })}</p>}
          <ul className={list.thumbs}>
            {order.lines.map((line) => (
              <li key={line.imageUrl + line.title}>
                <img src={line.imageUrl} alt={line.title} width={64} height={64} loading="lazy" />
                {line.quantity > 1 && <span>×{line.quantity}</span>}
              </li>
            ))}
            {order.lineCount > order.lines.length && (
              <li className={list.more}>{t('account.orders.more', { count: order.lineCount - order.lines.length })}</li>
            )}
          </ul>
        </li>
      ))}
    </ul>
  )
}
