import { customerIdOf } from '#accounts'
import type { Scope } from '#platform'
import { showMoney } from '#pricing'
import { isLoyaltyRunning } from './grant-loyalty.ts'
import { freeDeliveryFrom, loyaltyLevels, nextLevel } from './loyalty.ts'
import { readNetPurchases } from './net-purchases.ts'
import { showSegments } from './show-segments.ts'
import { tradeQuantity } from './suspected-pro.ts'

const yearMs = 365 * 86_400_000

/** The customer's own tier, this year's purchases and the levels of the programme; null for guests and staff. */
export async function showLoyalty(scope: Scope) {
  const customerId = customerIdOf(scope)
  if (customerId === null) return null
  const owner = `c:${customerId}`
  const [segments, purchases, isRunning] = await Promise.all([
    showSegments(scope),
    readNetPurchases(scope.db, [owner], { since: new Date(scope.now.getTime() - yearMs), tradeQuantity }),
    isLoyaltyRunning(scope, scope.market),
  ])
  const tier = segments?.loyalty_level ?? 'undefined'
  const { ordersInYear, spentInYear } = purchases.get(owner) ?? { ordersInYear: 0, spentInYear: 0 }
  const next = nextLevel(tier, { ordersInYear, spentInYear })
  const money = (minor: number) => showMoney(scope.market, minor)
  return {
    tier,
    isRunning,
    orders: ordersInYear,
    spent: money(spentInYear),
    freeDeliveryFrom: money(freeDeliveryFrom),
    levels: loyaltyLevels.map((level) => ({ ...level, spent: level.spent > 0 ? money(level.spent) : null })),
    next: next && { ...next, spentMissing: next.spentMissing > 0 ? money(next.spentMissing) : null },
  }
}
