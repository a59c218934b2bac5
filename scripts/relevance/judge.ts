import type { Market } from '@purlin/contract/markets.ts'
import type { Language } from '@purlin/search'
import type { ShopInMemory } from './shop-in-memory.ts'

/** A value that products must have, must not have, or may not exceed: only `price` has a maximum. */
export type Wanted = string | number | { not: string | number } | { max: number }

/** A query and what a good shop shows first. */
export interface JudgedQuery {
  language: Language
  kind: string
  query: string
  /** Any of these; with `!` in front of the first, none of them. Separated by commas. */
  family: string
  attributes: Record<string, Wanted> | null
}

/** The judgement of one query's first ten cards. */
export interface Judgement {
  query: JudgedQuery
  /** Share of right cards among ten, or among all that fit when they are fewer. */
  p10: number
  isFirstRight: boolean
  areFirstThreeRight: boolean
  total: number
  first: string[]
}

export const marketOf: Record<Language, Market> = { en: 'gb', fr: 'fr', de: 'de', es: 'es', it: 'it' }

const amountOf = ({ integer, decimal }: { integer: string; decimal: string }): number => Number(`${integer.replace(/\D/g, '')}.${decimal}`)

/** Searches as a visitor does, and judges what is shown. Attributes that nothing sold has are not required. */
export async function judge(shop: ShopInMemory, query: JudgedQuery): Promise<Judgement> {
  const market = marketOf[query.language]
  const listing = await shop.list(market, { kind: 'search', query: query.query })
  const isExcluding = query.family.startsWith('!')
  const families = query.family.replace(/^!/, '').split(',')
  const isOfFamily = (family: string): boolean => families.includes(family) !== isExcluding
  const has = (attributes: Record<string, unknown>, price: number | null): boolean =>
    Object.entries(query.attributes ?? {}).every(([key, wanted]) => {
      if (typeof wanted !== 'object') return attributes[key] === wanted
      return 'not' in wanted ? attributes[key] !== wanted.not : price === null || price <= wanted.max
    })
  const fitting = isExcluding ? 10 : shop.countGroups(market, ({ family, attributes }) => isOfFamily(family.key) && has(attributes, null))
  const cards = listing.cards.slice(0, 10)
  const right = cards.map((card) => {
    const { family, attributes } = shop.productOf(card.productId)
    return isOfFamily(family.key) && (fitting === 0 || has(attributes, amountOf(card.prices.main)))
  })
  const most = fitting === 0 ? cards.length : Math.min(cards.length, fitting)
  const isEmpty = cards.length === 0
  return {
    query,
    p10: isEmpty ? Number(isExcluding) : Math.min(1, right.filter(Boolean).length / most),
    isFirstRight: isEmpty ? isExcluding : right[0] === true,
    areFirstThreeRight: isEmpty ? isExcluding : right.slice(0, Math.min(3, most)).every(Boolean),
    total: listing.total,
    first: cards.slice(0, 3).map(({ defaultTitle }) => defaultTitle),
  }
}
