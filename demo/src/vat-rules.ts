import { categories, solarCategoryId } from './categories.ts'
import type { Market } from './languages.ts'

export interface DemoVatRule {
  id: number
  market: Market
  /** Null: the market's standard rate. */
  categoryId: number | null
  rateBp: number
  flag: string | null
  validFrom: string
  validTo: string | null
}

const marked = (vat: string) => categories.filter((category) => category.vat === vat).map(({ id }) => id)
const leavesOf = (family: string) => categories.filter((category) => category.family === family).map(({ id }) => id)

const plants = marked('plants')
const seeds = marked('seeds')
const pellets = leavesOf('wood_pellets')
const firewood = leavesOf('firewood')

/** Market, categories (none: standard), basis points, valid from. Reduced rates for the few kinds of goods that have one. */
const rates: [Market, number[] | null, number, string, string?][] = [
  ['gb', null, 2000, '2011-01-04'],
  ['fr', null, 2000, '2014-01-01'],
  ['de', null, 1900, '2021-01-01'],
  ['es', null, 2100, '2012-09-01'],
  ['it', null, 2200, '2013-10-01'],
  ['fr', plants, 1000, '2014-01-01'],
  ['de', plants, 700, '2021-01-01'],
  ['es', plants, 1000, '2012-09-01'],
  ['it', plants, 1000, '2013-10-01'],
  ['gb', seeds, 0, '2011-01-04'],
  ['fr', pellets, 1000, '2014-01-01'],
  ['de', pellets, 700, '2021-01-01'],
  ['fr', firewood, 1000, '2014-01-01'],
  ['de', firewood, 700, '2021-01-01'],
  ['it', firewood, 1000, '2013-10-01'],
  ['gb', firewood, 500, '2011-01-04'],
  // Photovoltaics at 0 % in Germany.
  ['de', [solarCategoryId], 0, '2023-01-01', 'hasNoVATForDE'],
]

export const vatRules: DemoVatRule[] = rates
  .flatMap(([market, ids, rateBp, validFrom, flag = null]) =>
    (ids ?? [null]).map((categoryId) => ({ market, categoryId, rateBp, flag, validFrom, validTo: null })),
  )
  .map((rule, index) => ({ id: index + 1, ...rule }))
