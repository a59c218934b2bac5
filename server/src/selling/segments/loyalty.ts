import type { loyaltyTiers } from './segments.ts'

export type LoyaltyTier = (typeof loyaltyTiers)[number]

/** A level's conditions within a year, and its benefit: free deliveries per quarter. */
export interface LoyaltyLevel {
  tier: Exclude<LoyaltyTier, 'undefined'>
  orders: number
  /** Minor units with VAT. */
  spent: number
  freeDeliveries: number
}

/** Highest first. A single large order does not make a customer loyal. */
export const loyaltyLevels: readonly LoyaltyLevel[] = [
  { tier: 'gold', orders: 10, spent: 100_000, freeDeliveries: 6 },
  { tier: 'silver', orders: 5, spent: 40_000, freeDeliveries: 3 },
  { tier: 'bronze', orders: 2, spent: 0, freeDeliveries: 1 },
]

/** Value of goods, VAT included, from which a free delivery may be used. */
export const freeDeliveryFrom = 5_000

interface YearOfBuying {
  ordersInYear: number
  spentInYear: number
}

export function loyaltyLevel({ ordersInYear, spentInYear }: YearOfBuying): LoyaltyTier {
  return loyaltyLevels.find(({ orders, spent }) => ordersInYear >= orders && spentInYear >= spent)?.tier ?? 'undefined'
}

/** The level above a tier, and what is missing on the way to it; null at the top. */
export function nextLevel(tier: LoyaltyTier, { ordersInYear, spentInYear }: YearOfBuying) {
  const at = loyaltyLevels.findIndex((level) => level.tier === tier)
  const next = at === 0 ? undefined : loyaltyLevels.at(at - 1)
  if (!next) return null
  return {
    tier: next.tier,
    ordersMissing: Math.max(0, next.orders - ordersInYear),
    spentMissing: Math.max(0, next.spent - spentInYear),
  }
}
