import { quantityStates, readMoves, readOrder, sumQuantities } from '#orders'
import { changeOfMindDays } from '#returns'
import type { JobScope } from '#platform'
import { isFinished, payableAt } from './payable-rule.ts'
import { writeSale } from './sale-store.ts'

/**
 * Notes when the money of a seller order becomes payable: after its last piece has arrived and the return period of
 * its buyer has passed. Called whenever pieces arrive or drop out, and when money is refunded.
 */
export async function scheduleSale(scope: JobScope, about: { customerOrderId: string; sellerOrderId: string }): Promise<void> {
  const { customerOrderId, sellerOrderId } = about
  const [order, lines, moves] = await Promise.all([
    readOrder(scope.db, customerOrderId),
    quantityStates(scope.db, [sellerOrderId]),
    readMoves(scope.db, [sellerOrderId]),
  ])
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  if (!order || !part) return
  const delivered = moves.filter(({ to }) => to === 'delivered').at(-1)?.at
  const { market, currency } = order
  const returnDays = changeOfMindDays({
    buyer: order.mode === 'b2b' ? 'business' : 'consumer',
    businessReturnDays: order.freeReturnDays ?? null,
  })
  const { sellerId, goods, delivery, sellerDiscount, commission, commissionVat, withheldVat } = part
  await writeSale(scope.db, {
    sellerOrderId,
    customerOrderId,
    sellerId,
    market,
    currency,
    sold: goods + delivery - sellerDiscount,
    commission,
    commissionVat,
    withheldVat: withheldVat ?? 0,
    payableAt: !isFinished(sumQuantities(lines)) ? null : delivered ? payableAt(market, delivered, returnDays) : scope.now,
  })
}
