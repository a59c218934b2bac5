import { findDeclared } from '#contact'
import { findDisputed } from '#disputes'
import { balancesOfOrders, bookMany } from '#ledger'
import { findChargedBack, lockPaymentsOfOrders } from '#payments'
import { findReplacements, findReturning } from '#returns'
import type { JobScope } from '#platform'
import type { PayoutLine } from './payout.ts'
import type { Run } from './payout-store.ts'
import { insertLines, lockDueSales, settleSales, type DueSale } from './sale-store.ts'

/** Sales settled in one transaction. */
export const atOnce = 200

/**
 * Moves what the ledger owes a seller for the next sales that are due from the seller's account to their payable one, order
 * by order. The payments are locked as refunds lock them, so that a refund is either part of the amount or booked after it.
 * Sales under dispute, with a return on its way or with a withdrawal that is not dealt with wait, also where it is about what replaces
 * their goods without payment, and so do those of orders whose payment a bank takes back, until it is decided who bears the loss; what
 * they cost the seller does not. Null when none are left.
 */
export async function settleNext(
  scope: JobScope,
  run: Run,
  sellerId: number,
  after: string,
): Promise<{ after: string; count: number } | null> {
  const { currency, cutoff } = run
  const sales = await lockDueSales(scope.db, { currency, sellerId, cutoff, after }, atOnce)
  const last = sales.at(-1)
  if (!last) return null
  const orders = [...new Set(sales.map(({ customerOrderId }) => customerOrderId))]
  const ids = sales.map(({ sellerOrderId }) => sellerOrderId)
  await lockPaymentsOfOrders(scope.db, orders)
  const replacements = await findReplacements(scope.db, ids)
  const allIds = [...new Set([...replacements.values()].flat())]
  const [balances, losses, disputed, ...held] = await Promise.all([
    balancesOfOrders(scope.db, orders, `seller:${sellerId}`),
    balancesOfOrders(scope.db, orders, 'chargebacks'),
    findChargedBack(scope.db, orders),
    findDisputed(scope.db, allIds),
    findReturning(scope.db, ids),
    findDeclared(scope.db, allIds),
  ])
  const owed = (sale: DueSale): number => -(balances.get(sale.customerOrderId) ?? 0)
  const isChargedBack = (id: string): boolean => disputed.has(id) || (losses.get(id) ?? 0) > 0
  const isOpen = (id: string): boolean => held.some((of) => of.has(id))
  const isHeld = ({ customerOrderId, sellerOrderId }: DueSale): boolean =>
    isChargedBack(customerOrderId) || (replacements.get(sellerOrderId) ?? []).some(isOpen)
  const settled = sales.filter((sale) => owed(sale) <= 0 || !isHeld(sale))
  const lines = settled.flatMap((sale) => (owed(sale) === 0 ? [] : [lineOf(sale, owed(sale))]))
  await bookMany(
    scope.db,
    lines.map(({ sellerOrderId, customerOrderId, amount }) => ({
      key: `settle:${run.id}:${sellerOrderId}`,
      kind: 'settlement',
      customerOrderId,
      currency,
      entries: [
        { account: `seller:${sellerId}`, amount },
        { account: `payable:${sellerId}`, amount: -amount },
      ],
    })),
  )
  await insertLines(scope.db, run.id, sellerId, lines)
  await settleSales(
    scope.db,
    settled.map(({ sellerOrderId }) => sellerOrderId),
    scope.now,
  )
  return { after: last.sellerOrderId, count: sales.length }
}

const nothing = { sold: 0, commission: 0, commissionVat: 0, withheldVat: 0 }

/** What was sold appears once; a later line of the same order is what has changed since. */
function lineOf({ sellerOrderId, customerOrderId, market, isSettled, ...sale }: DueSale, amount: number): PayoutLine {
  const { sold, commission, commissionVat, withheldVat } = isSettled ? nothing : sale
  const refunded = sold - commission - commissionVat - withheldVat - amount
  return { sellerOrderId, customerOrderId, market, sold, commission, commissionVat, withheldVat, refunded, amount }
}
