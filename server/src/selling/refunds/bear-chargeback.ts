import { authorize } from '#accounts'
import { allocate } from '#cart'
import { balanceOfOrder, balancesOfOrders, book } from '#ledger'
import { readOrder } from '#orders'
import { lockPaymentOfOrder, readChargeback, readChargebacks, type Chargeback } from '#payments'
import { isId, newId, type Scope } from '#platform'
import { showMoney } from '#pricing'
import { requestRefund } from './request-refund.ts'
import { readDisputedRefunds, readRefundByKey, readRefundedBefore } from './store.ts'

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
 * at most the price of their part, or the marketplace. False while a refund waits because of it, and if nothing is left to be borne.
 */
export async function bearChargeback(scope: Scope, chargebackId: string, sellerOrderId: string | null): Promise<boolean> {
  const { db } = scope
  const chargeback = isId(chargebackId) ? await readChargeback(db, chargebackId) : undefined
  if (chargeback?.state !== 'lost' || chargeback.market !== scope.market || !authorize(scope, 'refund.settle', {})) return false
  const { customerOrderId } = chargeback
  await lockPaymentOfOrder(db, customerOrderId)
  const left = await balanceOfOrder(db, customerOrderId, 'chargebacks')
  // Refunds that wait for the operator because of it make up for it first.
  if (left <= 0 || (await readDisputedRefunds(db, customerOrderId)).length > 0) return false
  if (sellerOrderId === null) return bearByMarketplace(scope, chargeback, left)
  const about = { customerOrderId, sellerOrderId, cause: 'dispute', key: `chargeback:${chargebackId}:${sellerOrderId}` } as const
  // A seller bears a chargeback once, with all that is left of their part.
  if (await readRefundByKey(db, about.key)) return false
  const part = (await readOrder(db, customerOrderId))?.sellerOrders.find(({ id }) => id === sellerOrderId)
  const amount = part ? Math.min(left, part.total - (await readRefundedBefore(db, part.id)).amount) : 0
  return amount > 0 && (await requestRefund(scope, { ...about, extra: { offerId: null, amount } })) !== undefined
}

/**
 * The marketplace bears it by a refund of each part, in proportion to what is left of them, that is set off like any other: neither
 * goods that come back later nor goodwill pay the buyer that money again. What exceeds all parts is a loss beyond the price.
 */
async function bearByMarketplace(scope: Scope, { id, customerOrderId, currency }: Chargeback, left: number): Promise<boolean> {
  const { db } = scope
  const parts = (await readOrder(db, customerOrderId))?.sellerOrders ?? []
  const unrefunded = await Promise.all(parts.map(async (part) => part.total - (await readRefundedBefore(db, part.id)).amount))
  const all = unrefunded.reduce((sum, each) => sum + each, 0)
  const shares = all > 0 ? allocate(Math.min(left, all), unrefunded) : []
  for (const [index, amount] of shares.entries()) {
    const part = parts[index]
    // Nothing is left to be borne after this; what is lost later is borne by refunds of its own.
    const about = { customerOrderId, cause: 'dispute', key: `chargeback:${id}:marketplace:${newId()}`, bornBy: 'marketplace' } as const
    if (part && amount > 0) await requestRefund(scope, { ...about, sellerOrderId: part.id, extra: { offerId: null, amount } })
  }
  const beyond = await balanceOfOrder(db, customerOrderId, 'chargebacks')
  if (beyond <= 0) return true
  const entries = [
    { account: 'chargebacks' as const, amount: -beyond },
    { account: 'chargeback-losses' as const, amount: beyond },
  ]
  return book(db, { key: `chargeback-borne:${id}:${newId()}`, kind: 'refund', customerOrderId, currency, entries })
}
