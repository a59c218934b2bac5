import type { ReactNode } from 'react'
import { OfferedReasonsDocument, type OrderFragment, type ReturnDetailsFragment, type SellerOrderFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from '../orders/orders.module.css'

type State = SellerOrderFragment['state']
const cancellable: readonly State[] = ['PENDING', 'ACCEPTED', 'PREPARING']
const sent: readonly State[] = ['PREPARING', 'SHIPPED', 'DELIVERED', 'INCIDENT_OPEN', 'CLOSED']

/** Returns that a second one cannot replace: under way or settled, or with the goods in an order of their own. */
const standing = ({ state, isSentBack }: ReturnDetailsFragment): boolean =>
  isSentBack || (state !== 'REFUSED' && state !== 'LAPSED' && state !== 'CLOSED')
const pieces = (lines: readonly { quantity: number }[]): number => lines.reduce((sum, { quantity }) => sum + quantity, 0)

/**
 * The ids of the parts that link the withdrawal function. Of an order without payment, those for which a withdrawal is offered: they
 * bring back goods that were bought, and the period of the purchase has not ended. The form of a paid order says itself when it has.
 */
export async function findWithdrawable({ client }: ShopContext, order: OrderFragment): Promise<string[]> {
  const parts = order.sellerOrders.map(({ id }) => id)
  if (!order.replaces) return parts
  const options = await Promise.all(
    parts.map((sellerOrderId) => client.query(OfferedReasonsDocument, { customerOrderId: order.id, sellerOrderId })),
  )
  return parts.filter((_id, index) => options[index]?.returnOptions?.reasons.some(({ isWithdrawal }) => isWithdrawal))
}

interface Props {
  part: SellerOrderFragment
  /** All returns of the order. */
  returns: readonly ReturnDetailsFragment[]
  offersWithdrawal: boolean
  order: OrderFragment
  context: ShopContext
}

/** What can be done with a seller's part now: cancel, withdraw from the contract (2011/83/EU art. 11a), return, invoice, help. */
export function PartActions({ part, returns, offersWithdrawal, order, context: { t, mode } }: Props): ReactNode {
  const about = { customerOrderId: order.id, orderId: part.id }
  const own = returns.filter((each) => each.sellerOrderId === part.id && standing(each))
  // Once every piece is on its way back there is nothing to choose: the form would be empty.
  const isReturned = own.length > 0 && pieces(own.flatMap(({ lines }) => lines)) >= pieces(part.lines)
  const mayReturn = sent.includes(part.state) && !isReturned
  const links = [
    cancellable.includes(part.state) &&
      !order.replaces && {
        href: paths.orderCancellationRecap({ customerOrderId: order.id, sellerOrderId: part.id }),
        label: t('cancellation.link'),
      },
    mayReturn &&
      mode === 'b2c' &&
      offersWithdrawal && { href: paths.returnRequest(about, { reason: 'changed-mind' }), label: t('returns.withdraw.link') },
    mayReturn && { href: paths.returnRequest(about), label: t('returns.link') },
    ...(isReturned ? own : []).map(({ id, number, stateLabel }) => ({
      href: paths.returnConfirmation({ ...about, requestId: id }),
      label: t('returns.list.item', { number, state: stateLabel }),
    })),
    order.isPaid && !order.replaces && { href: paths.onlineSupportInvoice({ orderId: part.id }), label: t('invoice.link') },
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
