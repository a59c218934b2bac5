import type { ReactNode } from 'react'
import type { OrderFragment, SellerOrderFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from '../orders/orders.module.css'

type State = SellerOrderFragment['state']
const cancellable: readonly State[] = ['PENDING', 'ACCEPTED', 'PREPARING']
const sent: readonly State[] = ['PREPARING', 'SHIPPED', 'DELIVERED', 'INCIDENT_OPEN', 'CLOSED']

interface Props {
  part: SellerOrderFragment
  order: OrderFragment
  context: ShopContext
}

/** What can be done with a seller's part now: cancel, withdraw from the contract (2011/83/EU art. 11a), return, invoice, help. */
export function PartActions({ part, order, context: { t, mode } }: Props): ReactNode {
  const about = { customerOrderId: order.id, orderId: part.id }
  const links = [
    cancellable.includes(part.state) && {
      href: paths.orderCancellationRecap({ customerOrderId: order.id, sellerOrderId: part.id }),
      label: t('cancellation.link'),
    },
    sent.includes(part.state) &&
      mode === 'b2c' && { href: paths.returnRequest(about, { reason: 'changed-mind' }), label: t('returns.withdraw.link') },
    sent.includes(part.state) && { href: paths.returnRequest(about), label: t('returns.link') },
    order.isPaid && { href: paths.onlineSupportInvoice({ orderId: part.id }), label: t('invoice.link') },
    part.state !== 'AWAITING_PAYMENT' && { href: paths.onlineSupport({ orderId: part.id }), label: t('support.title') },
  ].filter((link) => link !== false)
  if (links.length === 0) return null
  return (
    <p className={styles.links}>
      {links.map(({ href, label }) => (
        <a key={label} href={href}>
          {label}
        </a>
      ))}
    </p>
  )
}
