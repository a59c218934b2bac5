import type { AttributeValue, Attributes, Family } from './grammar.ts'

type Drivers = Family['price_eur']['drivers']

const medians = new Map<string, number>()

/** The median of a family's attribute, at which its price drivers are 1. */
function medianOf(family: Family, key: string): number {
  const id = `${family.key}|${key}`
  const known = medians.get(id)
  if (known !== undefined) return known
  const list = family.attrs[key] ?? []
  const numbers = list.filter((value): value is number => typeof value === 'number').toSorted((a, b) => a - b)
  // Packs that include single pieces are priced from the single piece.
  const median = key === 'pack_qty' && list[0] === 1 ? 1 : (numbers[numbers.length >> 1] ?? 1)
  medians.set(id, median)
  return median
}

function driven(family: Family, base: number, drivers: Drivers, attributes: Attributes): number {
  let result = base
  for (const [key, driver] of Object.entries(drivers)) {
    const value: AttributeValue | undefined = attributes[key]
    if (typeof driver === 'object') result *= driver[String(value)] ?? 1
    else if (typeof value === 'number') result *= (value / medianOf(family, key)) ** driver
  }
  return result
}

const ofTier = { 1: 1.35, 2: 1, 3: 0.74 } as const

/** A product's price in euros with VAT. @param noise normally distributed, shared by a model's products */
export function priceOf(family: Family, attributes: Attributes, tier: 1 | 2 | 3, noise: number): number {
  const { base, drivers, sigma } = family.price_eur
  return Math.max(1.2, driven(family, base, drivers, attributes) * ofTier[tier] * Math.exp(sigma * noise * 0.5))
}

/** Grams, including packaging. */
export function weightOf(family: Family, attributes: Attributes): number {
  const kilos = Math.max(0.02, driven(family, family.weight_kg.base, family.weight_kg.drivers, attributes))
  return Math.round(kilos * 1000)
}

/** Minor units with a typical price ending: 7.49, 12.99, 149.90, 1290. */
export function shelfPrice(amount: number): number {
  if (amount < 20) return Math.floor(amount) * 100 + (amount % 1 < 0.5 ? 49 : 99)
  if (amount < 300) return Math.floor(amount) * 100 + 90
  return Math.floor(amount) * 100
}
