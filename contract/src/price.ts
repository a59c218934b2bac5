/** The price block every surface shows; formatted on the server only. Source: spec §3, R-373…R-387. */

export interface PriceAmount {
  /** Whole units, grouped for the locale: "1,234". */
  integer: string
  /** Two digits after the separator: "50". */
  decimal: string
  /** Lowest and highest price of a model's products, if they differ. */
  ranges: { min: string; max: string } | null
  /** With currency, in the market's format: "£1,234.50". */
  asString: string
  asFloat: number
}

export type UnitOfMeasure = 'm2' | 'l' | 'kg' | 'm' | 'piece'

export interface UnitPrice {
  amount: PriceAmount
  unit: UnitOfMeasure
  /** "£4.20 /m²", ready to display. */
  label: string
}

export interface PackPrice {
  quantity: number
  amount: PriceAmount
}

export interface PriceBlock {
  /** The price for this viewer. */
  main: PriceAmount
  /** Tax mode of `main`. */
  taxKey: 'with_vat' | 'without_vat'
  /** Lowest price of the last 30 days before a reduction, struck through; same tax mode as main. */
  retail: PriceAmount | null
  /** The other tax mode, in small print; null when it would add nothing. */
  secondary: PriceAmount | null
  /** Whole percent off retail, rounded down; null when there is no reduction. */
  discount: number | null
  unit: UnitPrice | null
  /** Category 2257 in de: zero rate for solar goods. Source: spec §9. */
  hasNoVATForDE: boolean
  /** At a rate of zero, prices with and without VAT are the same and neither is labelled. (V-35) */
  isZeroRated: boolean
  /** The least that can be bought, where that is more than one. (V-31) */
  pack: PackPrice | null
}

/** In display order; a card shows at most three. Source: spec §3. */
export const badgeTypes = [
  'sponsored',
  'blackfriday',
  'sales',
  'productdays',
  'promo',
  'loweredprice',
  'coupon',
  'proPriceAdvantage',
  'top_sale',
  'is_local',
  'is_eco_responsible',
] as const
export type BadgeType = (typeof badgeTypes)[number]

export interface Badge {
  type: BadgeType
  /** In the market's language: "-15 %", "Contains recycled material", "Garden days". */
  label: string
}
