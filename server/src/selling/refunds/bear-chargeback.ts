import { authorize } from '#accounts'
import { balanceOfOrder, balancesOfOrders, book } from '#ledger'
import { lockPaymentOfOrder, readChargeback, readChargebacks } from '#payments'
import { isId, type Scope } from '#platform'
import { showMoney } from '#pricing'
import { requestRefund } from './request-refund.ts'
import { readRefundByKey } from './store.ts'

const maxShown = 100

/** The latest chargebacks in this market, with what nobody bears yet of those that were lost: for the operator. */
export async function listChargebacks(scope: Scope) {
  const { db, market } = scope
  const latest = await readChargebacks(db, market, maxShown)
  const unborne = await balancesOfOrders(db, [...new Set(latest.map(({ customerOrderId }) => customerOrderId))], 'chargebacks')
  return latest.map(({ id, customerOrderId, state, amount, reason, openedAt, closedAt }) => {
    const left = unborne.get(customerOrderId) ?? 0
    return { id, customerOrderId, state, reason, openedAt, closedAt, amount: showMoney(market, amount), unborne: showMoney(market, left) }
  })
}

/**
 * Decides who bears what a lost chargeback has cost beyond the refunds of its order: a seller, who gives it back as by any refund,
 * at most the price of their part, or the marketplace.
 */
export async function bearChargeback(scope: Scope, chargebackId: string, sellerOrderId: string | null): Promise<boolean> {
  const { db } = scope
  const chargeback = isId(chargebackId) ? await readChargeback(db, chargebackId) : undefined
  if (chargeback?.state !== 'lost' || chargeback.market !== scope.market || !authorize(scope, 'refund.settle', {})) return false
  const { customerOrderId, currency } = chargeback
  await lockPaymentOfOrder(db, customerOrderId)
  const left = await balanceOfOrder(db, customerOrderId, 'chargebacks')
  if (left <= 0) return false
  if (sellerOrderId !== null) {
    const about = { customerOrderId, sellerOrderId, cause: 'dispute', key: `chargeback:${chargebackId}:${sellerOrderId}` } as const
    // A seller bears a chargeback once, with all that is left of their part.
    if (await readRefundByKey(db, about.key)) return false
    return (await requestRefund(scope, { ...about, extra: { offerId: null, amount: left } })) !== undefined
  }
  const entries = [
    { account: 'chargebacks' as const, amount: -left },
    { account: 'goodwill' as const, amount: left },
  ]
  return book(db, { key: `chargeback-borne:${chargebackId}`, kind: 'refund', customerOrderId, currency, entries })
}
