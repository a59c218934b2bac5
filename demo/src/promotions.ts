import type { DemoOperation } from './operations.ts'
import { dayMs } from './operations.ts'
import { shelfPrice } from './price.ts'

export interface PricePoint {
  price: number
  validFrom: Date
}

/** An offer's current and past prices, and its promotion. */
export interface Pricing {
  price: number
  history: PricePoint[]
  operationIds: number[]
  promotionEndsAt: Date | null
  kind: 'steady' | 'changed' | 'reduced' | 'fake' | 'ended' | 'coming'
}

export interface PricingCase {
  /** Minor units. */
  regular: number
  department: string
  market: string
  day: number
  operations: readonly DemoOperation[]
  /** Numbers of 0…1 by salt. */
  roll: (salt: number) => number
}

/** Price and price history of about 120 days. Most prices are stable; some reductions are genuine and some are only claimed. */
export function pricingOf(of: PricingCase): Pricing {
  const u = of.roll(1)
  if (u < 0.14) return reduced(of)
  if (u < 0.2) return fake(of)
  if (u < 0.24) return afterReduction(of)
  if (u < 0.27) return beforeReduction(of)
  if (u < 0.37) return changed(of)
  return {
    price: of.regular,
    history: [{ price: of.regular, validFrom: ago(of, 60 + 60 * of.roll(2)) }],
    operationIds: [],
    promotionEndsAt: null,
    kind: 'steady',
  }
}

function ago(of: PricingCase, days: number): Date {
  // Shops update their prices at night.
  return new Date(of.day - Math.floor(days) * dayMs + 3 * 3_600_000)
}

function lowered({ regular, roll }: PricingCase): number {
  const price = shelfPrice((regular / 100) * (1 - (0.08 + 0.3 * roll(3))))
  return price < regular ? Math.max(1, price) : Math.max(1, Math.floor(regular * 0.85))
}

/** Long at the higher price, then reduced: the 30-day-lowest rule accepts it, and so do gb's 28 days. */
function reduced(of: PricingCase): Pricing {
  const price = lowered(of)
  return {
    price,
    history: [
      { price: of.regular, validFrom: ago(of, 70 + 50 * of.roll(4)) },
      { price, validFrom: ago(of, 1 + 13 * of.roll(5)) },
    ],
    ...promotion(of),
    kind: 'reduced',
  }
}

/** Raised a week ago, then "reduced" to the original price: no reduction may be shown. */
function fake(of: PricingCase): Pricing {
  const raised = shelfPrice((of.regular / 100) * 1.32)
  return {
    price: of.regular,
    history: [
      { price: of.regular, validFrom: ago(of, 80 + 40 * of.roll(4)) },
      { price: raised > of.regular ? raised : of.regular + 100, validFrom: ago(of, 8 + 4 * of.roll(5)) },
      { price: of.regular, validFrom: ago(of, 1 + 3 * of.roll(6)) },
    ],
    ...promotion(of),
    kind: 'fake',
  }
}

/** A promotion that is over: back at the regular price. */
function afterReduction(of: PricingCase): Pricing {
  return {
    price: of.regular,
    history: [
      { price: of.regular, validFrom: ago(of, 90 + 30 * of.roll(4)) },
      { price: lowered(of), validFrom: ago(of, 40 + 9 * of.roll(5)) },
      { price: of.regular, validFrom: ago(of, 20 + 12 * of.roll(6)) },
    ],
    operationIds: of.operations
      .filter((operation) => operation.market === of.market && operation.endsAt.getTime() < of.day)
      .map(({ id }) => id),
    promotionEndsAt: null,
    kind: 'ended',
  }
}

/** Registered for an operation that has not begun. */
function beforeReduction(of: PricingCase): Pricing {
  const coming = of.operations.filter(
    (operation) => operation.market === of.market && operation.startsAt.getTime() > of.day + dayMs && takesPart(operation, of),
  )
  return {
    price: of.regular,
    history: [{ price: of.regular, validFrom: ago(of, 100) }],
    operationIds: coming.map(({ id }) => id),
    promotionEndsAt: null,
    kind: 'coming',
  }
}

/** The price changed long ago: no promotion. */
function changed(of: PricingCase): Pricing {
  const before = shelfPrice((of.regular / 100) * (of.roll(4) < 0.7 ? 0.93 : 1.06))
  return {
    price: of.regular,
    history: [
      { price: before === of.regular ? of.regular + 100 : before, validFrom: ago(of, 100 + 20 * of.roll(5)) },
      { price: of.regular, validFrom: ago(of, 45 + 40 * of.roll(6)) },
    ],
    operationIds: [],
    promotionEndsAt: null,
    kind: 'changed',
  }
}

function takesPart(operation: DemoOperation, of: PricingCase): boolean {
  return operation.departments === null || operation.departments.includes(of.department)
}

/** Running operations of the market and an end: hours away, days away, later, or unstated. */
function promotion(of: PricingCase): Pick<Pricing, 'operationIds' | 'promotionEndsAt'> {
  const running = of.operations.filter(
    (operation) =>
      operation.market === of.market &&
      operation.startsAt.getTime() <= of.day &&
      operation.endsAt.getTime() > of.day + dayMs &&
      takesPart(operation, of),
  )
  const chosen = running.filter((operation) => (operation.type === 'productdays' ? of.roll(11) < 0.6 : of.roll(operation.id) < 0.45))
  const u = of.roll(12)
  const days = u < 0.3 ? 1 + 2 * of.roll(13) : u < 0.65 ? 4 + 2.9 * of.roll(13) : u < 0.8 ? 8 + 12 * of.roll(13) : null
  return {
    operationIds: chosen.map(({ id }) => id),
    promotionEndsAt: days === null ? null : new Date(of.day + Math.floor(days * 24) * 3_600_000),
  }
}
