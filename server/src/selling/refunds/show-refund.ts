import { wordsFor } from '@purlin/words/catalogues.ts'
import { findOrder, type OrderSeen } from '#orders'
import type { Scope } from '#platform'
import { showMoney } from '#pricing'
import { findRefund, mayGiveAccount } from './give-account.ts'
import { byHandCode, owedOf, type Refund } from './refund.ts'
import { readEveryRefundOf } from './store.ts'

/** A refund of an order of this principal; null for anybody else's. */
export async function showRefund(scope: Scope, id: string) {
  const found = await findRefund(scope, id)
  return found ? show(scope, found.refund, found.order) : null
}

/** The refunds of an order, oldest first; null for anybody else's order. */
export async function listRefunds(scope: Scope, customerOrderId: string) {
  const order = await findOrder(scope, 'order.see', customerOrderId)
  if (!order) return null
  const refunds = await readEveryRefundOf(scope.db, customerOrderId)
  return refunds.filter(({ amount }) => amount > 0).map((refund) => show(scope, refund, order))
}

function show(scope: Scope, refund: Refund, order: OrderSeen) {
  const {
    id,
    number,
    customerOrderId,
    sellerOrderId,
    state,
    cause,
    amount,
    setOff,
    market,
    ibanEnd,
    requestedAt,
    doneAt,
    failureCode,
    lines,
  } = refund
  const isOpen = state !== 'done' && state !== 'not-owed'
  const sold = new Map(order.sellerOrders.flatMap((part) => part.lines.map((line) => [line.offerId, line])))
  return {
    id,
    number,
    customerOrderId,
    sellerOrderId,
    state,
    stateLabel: wordsFor(market)(`refund.state.${state}`),
    cause,
    amount: showMoney(market, isOpen ? owedOf(refund) : amount),
    whole: showMoney(market, amount),
    ibanEnd,
    requestedAt,
    doneAt,
    isSetOff: state === 'done' && setOff === amount,
    byBank: setOff > 0 ? showMoney(market, setOff) : null,
    byShop: showMoney(market, owedOf(refund)),
    isByHand: state === 'done' && failureCode === byHandCode,
    canGiveAccount: state === 'iban-needed' && mayGiveAccount(scope, order),
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
