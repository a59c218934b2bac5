import type { Language, Market } from '@purlin/contract/markets.ts'
import type { CategoryRow } from './category-tree.ts'

export interface Brand {
  id: number
  slug: string
  name: string
  /** 1 premium, 2 middle, 3 entry. */
  tier: number
  country: string
  texts: Partial<Record<Language, string>>
}

export interface Attribute {
  key: string
  kind: 'number' | 'text'
  names: Partial<Record<Language, string>>
  units: Partial<Record<Language, string>> | null
  decimals: number
  facet: boolean
}

export interface AttributeWord {
  value: string
  names: Partial<Record<Language, string>>
  hex: string | null
}

export interface CommercialOperation {
  id: number
  type: 'blackfriday' | 'sales' | 'productdays' | 'promo'
  market: Market
  slug: string
  name: string
  startsAt: Date
  endsAt: Date
}

/** Rows as the store reads them in one statement. */
export interface ReferenceRows {
  categories: CategoryRow[]
  brands: Brand[]
  attributes: Attribute[]
  words: AttributeWord[]
  operations: (Omit<CommercialOperation, 'startsAt' | 'endsAt'> & { startsAt: string; endsAt: string })[]
}
