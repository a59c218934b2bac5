import type { EventPayloads } from '#events'
import { isBackWithSeller, tellBuyer } from '#fulfilment'
import { moveLines, readOrder, type CustomerOrder, type SellerOrder } from '#orders'
import { newId, type JobScope } from '#platform'
import { requestRefund } from '#refunds'
import { offeredReturn } from './offered-return.ts'
import { bringsOwnGoods, findReturnCase } from './return-case.ts'

type Opened = EventPayloads['seller-order.incident-opened']

/**
 * Pieces that could not be delivered and are back with their seller. What nobody collected is refunded at once like a withdrawal. Of an order
 * without payment it is only while the goods can be withdrawn from: otherwise a refused claim would be paid after all. Then they wait to be
 * sent again. The buyer hears which of both. Source: decisions 080 and 114.
 */
export async function followSentBack(scope: JobScope, opened: Opened): Promise<void> {
  if (!isBackWithSeller(opened)) return
  const order = await readOrder(scope.db, opened.customerOrderId)
  const part = order?.sellerOrders.find(({ id }) => id === opened.sellerOrderId)
  if (!order || !part) return
  const isUncollected = opened.reason === 'not-collected'
  if (isUncollected && (order.replaces == null || (await canBeWithdrawnFrom(scope, order, part)))) {
    await refundUncollected(scope, order, opened)
    return tellBuyer(scope, 'not-collected', opened)
  }
  await tellBuyer(scope, isUncollected ? 'left-at-point' : 'incident', opened, { areOwn: await bringsOwnGoods(scope.db, order) })
}

async function canBeWithdrawnFrom(scope: JobScope, order: CustomerOrder, part: SellerOrder): Promise<boolean> {
  const { about } = await findReturnCase(scope, order, part)
  return offeredReturn('changed-mind', about) !== null
}

/** A consumer gets what a withdrawal returns, a professional the price of the goods. */
async function refundUncollected(scope: JobScope, { mode }: CustomerOrder, opened: Opened): Promise<void> {
  const { customerOrderId, sellerOrderId, lines, reason } = opened
  const delivery = mode === 'b2c' ? 'standard' : 'none'
  // Each event is handled once, so each is a refund of its own.
  const key = `uncollected:${newId()}`
  await requestRefund(scope, { customerOrderId, sellerOrderId, cause: 'return', key, units: lines, delivery })
  const closed = await moveLines(scope, {
    sellerOrderId,
    actor: 'system',
    reason,
    moves: (held) =>
      lines.flatMap(({ offerId, quantity }) => {
        const open = held.find((line) => line.offerId === offerId)?.quantities['incident-open'] ?? 0
        return open > 0 ? [{ offerId, quantity: Math.min(quantity, open), from: 'incident-open', to: 'closed' }] : []
      }),
  })
  if (!closed.ok) scope.log.warn({ sellerOrderId, reason: closed.reason }, 'pieces that nobody collected could not be closed')
}
