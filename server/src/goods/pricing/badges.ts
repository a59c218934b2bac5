import { markets, type Language, type Market } from '@purlin/contract/markets.ts'
import { badgeTypes, type Badge, type BadgeType } from '@purlin/contract/price.ts'
import { formatReduction } from './money-format.ts'
import { inSalesPeriod } from './sales-periods.ts'

export interface CommercialOperation {
  id: number
  type: 'blackfriday' | 'sales' | 'productdays' | 'promo'
  /** In the market's language: "Garden days". */
  name: string
  startsAt: Date
  endsAt: Date
}

/** What an offer has that a badge may tell. */
export interface BadgeCase {
  sponsored: boolean
  /** Whole percent off the retail price, as in the price block. */
  discount: number | null
  /** Operations the offer takes part in, running or not. */
  operations: readonly CommercialOperation[]
  promotionEndsAt: Date | null
  couponCode: string | null
  proAdvantagePercentage: number | null
  isTopSale: boolean
  isLocal: boolean
  isEcoResponsible: boolean
}

/** Most badges a card has room for. */
export const badgesOnCard = 3

type Words = Record<Language, string>
const words = {
  sponsored: { en: 'Sponsored', fr: 'Sponsorisé', de: 'Gesponsert', es: 'Patrocinado', it: 'Sponsorizzato' },
  sales: { en: 'Sale', fr: 'Soldes', de: 'Sale', es: 'Rebajas', it: 'Saldi' },
  loweredprice: { en: 'Lowered price', fr: 'Prix en baisse', de: 'Preis gesenkt', es: 'Precio rebajado', it: 'Prezzo ribassato' },
  coupon: { en: 'Voucher', fr: 'Code promo', de: 'Gutschein', es: 'Cupón', it: 'Coupon' },
  proPriceAdvantage: { en: 'Pro price', fr: 'Prix pro', de: 'Profipreis', es: 'Precio pro', it: 'Prezzo pro' },
  top_sale: { en: 'Top seller', fr: 'Top ventes', de: 'Bestseller', es: 'Más vendido', it: 'Più venduto' },
  is_local: { en: 'Made in France', fr: 'Fabriqué en France', de: 'Made in France', es: 'Fabricado en Francia', it: 'Prodotto in Francia' },
  // A fact, never a general claim to be good for the environment (2024/825/EU): the flag is set for this alone.
  is_eco_responsible: {
    en: 'Contains recycled material',
    fr: 'Contient des matières recyclées',
    de: 'Enthält Recyclingmaterial',
    es: 'Contiene material reciclado',
    it: 'Contiene materiale riciclato',
  },
} satisfies Partial<Record<BadgeType, Words>>

/**
 * Operations that run now and may be named: outside the legal period a reduction may be told, the sales it is
 * part of may not. Source: R-400.
 */
export function runningOperations<Operation extends Pick<CommercialOperation, 'type' | 'startsAt' | 'endsAt'>>(
  market: Market,
  operations: readonly Operation[],
  now: Date,
): Operation[] {
  return operations.filter(
    ({ type, startsAt, endsAt }) => startsAt <= now && endsAt > now && (type !== 'sales' || inSalesPeriod(market, now)),
  )
}

/** Is the offer in a promotion that runs: one with an end of its own, or an operation? */
export function isPromoted(market: Market, of: Pick<BadgeCase, 'promotionEndsAt' | 'operations'>, now: Date): boolean {
  if (of.promotionEndsAt !== null && of.promotionEndsAt > now) return true
  return runningOperations(market, of.operations, now).length > 0
}

/** All badges an offer has for this viewer, in the order of display. Source: R-388…R-398. */
export function badgesOf(market: Market, of: BadgeCase, viewer: { business: boolean }, now: Date): Badge[] {
  const language = markets[market].language
  const labels = new Map<BadgeType, string>()
  if (of.sponsored) labels.set('sponsored', words.sponsored[language])

  for (const operation of runningOperations(market, of.operations, now)) {
    if (!labels.has(operation.type)) labels.set(operation.type, operation.type === 'sales' ? words.sales[language] : operation.name)
  }

  if (of.discount !== null) {
    const runsOut = of.promotionEndsAt !== null && of.promotionEndsAt > now
    if (runsOut || labels.has('promo')) labels.set('promo', formatReduction(market, of.discount))
    else if (!labels.has('blackfriday') && !labels.has('sales') && !labels.has('productdays')) {
      labels.set('loweredprice', words.loweredprice[language])
    }
  }
  if (of.couponCode !== null) labels.set('coupon', couponLabel(market, of.couponCode))
  if (viewer.business && of.proAdvantagePercentage !== null) {
    labels.set('proPriceAdvantage', proAdvantageLabel(market, of.proAdvantagePercentage))
  }
  if (of.isTopSale) labels.set('top_sale', words.top_sale[language])
  if (of.isLocal && market === 'fr') labels.set('is_local', words.is_local[language])
  if (of.isEcoResponsible) labels.set('is_eco_responsible', words.is_eco_responsible[language])

  return badgeTypes.flatMap((type) => (labels.has(type) ? [{ type, label: labels.get(type) as string }] : []))
}

/** "Voucher TOOLS10". */
export function couponLabel(market: Market, code: string): string {
  return `${words.coupon[markets[market].language]} ${code}`
}

/** "Pro price -8%". Source: R-023. */
export function proAdvantageLabel(market: Market, percentage: number): string {
  return `${words.proPriceAdvantage[markets[market].language]} ${formatReduction(market, percentage)}`
}
