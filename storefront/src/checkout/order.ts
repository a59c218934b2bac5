import type { OrderFragment } from '../generated/documents.ts'

/** Money has arrived, or is as good as here. */
export function isPaid(order: Pick<OrderFragment, 'state'>): boolean {
  return !['draft', 'awaiting-payment', 'cancelled'].includes(order.state)
}
