import { valueFilter, type Carousel, type Goods } from '#listing'
import { calculate, type Measures } from '@purlin/contract/calculators.ts'
import type { EntryFacts, GoodsQuery, ShoppingFacts } from './entry.ts'

/** Results of an entry's calculators, by name. */
export type Measured = ReadonlyMap<string, number>

export interface Measure {
  calculator: string
  name: keyof Measures
  value: number
}

/** The result of each of an entry's calculators with these measurements. */
export function measuredOf({ calculators }: EntryFacts, measures: readonly Measure[]): Measured {
  return new Map(
    Object.entries(calculators).map(([name, calculator]) => {
      const given = measures.filter((measure) => measure.calculator === name)
      return [name, calculate(calculator, Object.fromEntries(given.map((measure) => [measure.name, measure.value])))]
    }),
  )
}

const most = 999

/** An entry's product selection as a query for the index. */
export function goodsQuery({ category, filters, sort }: GoodsQuery, size: number): Carousel {
  return {
    filters: [
      [`categoryIds:${category}`],
      ['conditionGroup:new'],
      ...Object.entries(filters).map(([attribute, values]) => values.map((value) => valueFilter(`attr.${attribute}`, value))),
    ],
    sort,
    size,
  }
}

/** The quantity of a product for a job: the calculator's result divided by the product's content, in whole packs. */
export function measuredQuantity(
  { quantity, need }: ShoppingFacts,
  { card: { bulk }, attributes }: Goods,
  measured: Measured,
): { quantity: number; measuredBy: string | null } {
  const inPacks = (count: number) => Math.min(Math.ceil(Math.max(1, count) / (bulk ?? 1)) * (bulk ?? 1), most)
  const amount = need && measured.get(need.calculator)
  if (!need || amount === undefined) return { quantity: inPacks(quantity), measuredBy: null }
  const content = numberIn(attributes, need.content) * numberIn(attributes, need.times)
  // A thousandth more than whole packs is rounding, not a need.
  return { quantity: inPacks(Math.ceil((amount * need.each) / content - 0.001)), measuredBy: need.calculator }
}

function numberIn(attributes: Goods['attributes'], name: string | undefined): number {
  const value = name === undefined ? 1 : attributes[name]
  return typeof value === 'number' && value > 0 ? value : 1
}
