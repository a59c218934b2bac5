import type { b2bIntentions, buyNumberClusters, customerValues, memberships, purchaseBands } from './segments.ts'

/** A customer's purchases and visits, as of a night. */
export interface Buying {
  /** Paid orders, ever and in the last year. */
  orders: number
  ordersInYear: number
  /** Minor units with VAT. */
  spentInYear: number
  /** Days since then; null if never. */
  lastOrderDays: number | null
  lastVisitDays: number | null
}

type One<Values extends readonly string[]> = Values[number]

/** Regular customers have bought this often; below, each purchase is a cluster of its own. */
const regularFrom = 5
/** A regular customer without a purchase for this long counts as wavering. */
const waversAfterDays = 180
const yearDays = 365

/** Buy-number cluster. Source: spec §3, R-315…R-318. */
export function buyNumberCluster({ orders, ordersInYear, lastOrderDays }: Buying): One<typeof buyNumberClusters> {
  if (orders <= 0 || lastOrderDays === null) return 'prospects'
  if (orders < regularFrom) return (['occ-b-numb-1', 'occ-b-numb-2', 'occ-b-numb-3', 'occ-b-numb-4'] as const)[orders - 1] ?? 'prospects'
  if (lastOrderDays > waversAfterDays) return 'wavering'
  if (ordersInYear >= 12) return 'loyal'
  return ordersInYear >= 6 ? 'frequent' : 'recurring'
}

type Band = 'one-purchase' | 'medium-purchase' | 'high-purchase'

function bandOf(orders: number): Band | null {
  if (orders <= 0) return null
  if (orders === 1) return 'one-purchase'
  return orders < regularFrom ? 'medium-purchase' : 'high-purchase'
}

/** Purchase band with its activity: active while the last order is less than a year ago. */
export function purchaseCluster({ orders, lastOrderDays }: Buying): One<typeof purchaseBands> | null {
  const band = bandOf(orders)
  if (band === null) return null
  return lastOrderDays !== null && lastOrderDays < yearDays ? `${band}-active` : `${band}-inactive`
}

/** Purchase band of everybody who has ever bought. */
export function audienceGroup({ orders }: Buying): One<typeof purchaseBands> | null {
  const band = bandOf(orders)
  return band === null ? null : `${band}-all`
}

/** By annual spending: 2,000, 750 and 150 of the market's currency. */
export function customerValue({ spentInYear }: Buying): One<typeof customerValues> {
  if (spentInYear >= 200_000) return 'very-high'
  if (spentInYear >= 75_000) return 'high'
  return spentInYear >= 15_000 ? 'medium' : 'low'
}

/** High-value customers are members; buying less does not end it. */
export function membership(buying: Buying): Exclude<One<typeof memberships>, 'opt-out'> | null {
  const value = customerValue(buying)
  if (value === 'very-high') return 'top-member'
  return value === 'high' ? 'member' : null
}

/** Marks of customers who bought more than once and are about to leave. A visit within a month clears both. */
export function churnMarks({ orders, lastOrderDays, lastVisitDays }: Buying): { anti_churn: boolean; last_chance_churn: boolean } {
  const isHere = lastVisitDays !== null && lastVisitDays <= 30
  const days = orders >= 2 && !isHere ? (lastOrderDays ?? 0) : 0
  return { anti_churn: days >= 180 && days < 365, last_chance_churn: days >= 365 && days < 545 }
}

/** State of a customer's last request for a professional account. */
export type ProRequest = 'lead' | 'converted' | 'refused' | null

/** How near a customer is to a company account: members have one, a request says how far it has got, suspected professionals may want one. */
export function b2bIntention({
  isMember,
  isSuspected,
  request,
}: {
  isMember: boolean
  isSuspected: boolean
  request: ProRequest
}): One<typeof b2bIntentions> {
  if (isMember) return 'converted'
  if (request === 'lead') return 'lead'
  // It was looked at: they are no professional, whatever they buy.
  if (request === 'refused') return 'unknown'
  return isSuspected ? 'lead' : 'unknown'
}
