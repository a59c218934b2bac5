import { wordsFor } from '@purlin/words/catalogues.ts'
import { authorize } from '#accounts'
import { findOrder, type OrderSeen } from '#orders'
import type { Scope } from '#platform'
import { showMoney } from '#pricing'
import { readByBank } from './by-bank.ts'
import { findRefund } from './give-account.ts'
import { byHandCode, type Refund } from './refund.ts'
import { readEveryRefundOf } from './store.ts'

/** A refund of an order of this principal; null for anybody else's. */
export async function showRefund(scope: Scope, id: string) {
  const found = await findRefund(scope, id)
  if (!found) return null
  const byBank = await readByBank(scope.db, [found.refund])
  return show(scope, found.refund, found.order, byBank.get(id) ?? 0)
}

/** The refunds of an order, oldest first; null for anybody else's order. */
export async function listRefunds(scope: Scope, customerOrderId: string) {
  const order = await findOrder(scope, 'order.see', customerOrderId)
  if (!order) return null
  const refunds = (await readEveryRefundOf(scope.db, customerOrderId)).filter(({ amount }) => amount > 0)
  const byBank = await readByBank(scope.db, refunds)
  return refunds.map((refund) => show(scope, refund, order, byBank.get(refund.id) ?? 0))
}

/** `byBank`: what the buyer's bank has paid of it, in minor units. */
function show(scope: Scope, refund: Refund, order: OrderSeen, byBank: number) {
  const { id, number, customerOrderId, sellerOrderId, state, cause, amount, market, ibanEnd, requestedAt, doneAt, failureCode, lines } =
    refund
  const sold = new Map(order.sellerOrders.flatMap((part) => part.lines.map((line) => [line.offerId, line])))
  return {
    id,
    number,
    customerOrderId,
    sellerOrderId,
    state,
    stateLabel: wordsFor(market)(`refund.state.${state}`),
    cause,
    amount: showMoney(market, amount),
    ibanEnd,
    requestedAt,
    doneAt,
    isSetOff: state === 'done' && byBank >= amount,
    byBank: byBank > 0 ? showMoney(market, byBank) : null,
    byShop: showMoney(market, amount - byBank),
    isByHand: state === 'done' && failureCode === byHandCode,
    canGiveAccount: state === 'iban-needed' && authorize(scope, 'refund.change', order),
    // A line that goodwill only names has no amount of its own.
    lines: lines
      .filter((line) => line.quantity + line.goods + line.delivery > 0)
      .map(({ offerId, quantity, goods, delivery }) => ({
        offerId,
        title: sold.get(offerId)?.snapshot.title ?? '',
        quantity,
        amount: showMoney(market, goods + delivery),
      })),
  }
}
