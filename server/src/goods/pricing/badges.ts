import type { Market } from '@purlin/contract/markets.ts'
import { badgeTypes, type Badge, type BadgeType } from '@purlin/contract/price.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { formatReduction } from './money-format.ts'
import { couponWorth, isForSomeCustomers } from './ports.ts'
import { inSalesPeriod } from './sales-periods.ts'

export interface CommercialOperation {
  id: number
  type: 'blackfriday' | 'sales' | 'productdays' | 'promo'
  /** In the market's language: "Garden days". */
  name: string
  startsAt: Date
  endsAt: Date
}

/** The facts about an offer from which badges derive. */
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

/** Maximum number of badges on a card. */
export const badgesOnCard = 3

/**
 * Running operations that may be named: outside the legal period a reduction may be shown, the sales it is
 * part of may not be mentioned. Source: R-400.
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

/** Whether the offer is in a running promotion: one with an end of its own, or an operation. */
export function isPromoted(market: Market, of: Pick<BadgeCase, 'promotionEndsAt' | 'operations'>, now: Date): boolean {
  if (of.promotionEndsAt !== null && of.promotionEndsAt > now) return true
  return runningOperations(market, of.operations, now).length > 0
}

/** All badges of an offer for this viewer, in display order. Source: R-388…R-398. */
export function badgesOf(market: Market, of: BadgeCase, viewer: { business: boolean }, now: Date): Badge[] {
  const t = wordsFor(market)
  const labels = new Map<BadgeType, string>()
  if (of.sponsored) labels.set('sponsored', t('badge.sponsored'))

  for (const operation of runningOperations(market, of.operations, now)) {
    if (!labels.has(operation.type)) labels.set(operation.type, operation.type === 'sales' ? t('badge.sales') : operation.name)
  }

  if (of.discount !== null) {
    const runsOut = of.promotionEndsAt !== null && of.promotionEndsAt > now
    if (runsOut || labels.has('promo')) labels.set('promo', formatReduction(market, of.discount))
    else if (!labels.has('blackfriday') && !labels.has('sales') && !labels.has('productdays')) {
      labels.set('loweredprice', t('badge.loweredprice'))
    }
  }
  const coupon = couponOn(market, of.couponCode)
  if (coupon) labels.set('coupon', coupon.label)
  if (viewer.business && of.proAdvantagePercentage !== null) {
    labels.set('proPriceAdvantage', proAdvantageLabel(market, of.proAdvantagePercentage))
  }
  if (of.isTopSale) labels.set('top_sale', t('badge.top_sale'))
  if (of.isLocal && market === 'fr') labels.set('is_local', t('badge.is_local'))
  // A specific fact, never a generic environmental claim (2024/825/EU): the flag is set for this only.
  if (of.isEcoResponsible) labels.set('is_eco_responsible', t('badge.is_eco_responsible'))

  return badgeTypes.flatMap((type) => (labels.has(type) ? [{ type, label: labels.get(type) as string }] : []))
}

/** The coupon an offer shows to everybody. */
export function couponOn(market: Market, code: string | null): { code: string; label: string } | null {
  return code === null || isForSomeCustomers(market, code) ? null : { code, label: couponLabel(market, code) }
}

/** "-10% with TOOLS10", or "Voucher TOOLS10" if its worth is unknown. (V-38) */
function couponLabel(market: Market, code: string): string {
  const worth = couponWorth(market, code)
  return worth === null ? wordsFor(market)('badge.coupon', { code }) : wordsFor(market)('badge.coupon-worth', { worth, code })
}

/** "Pro price -8%". Source: R-023. */
export function proAdvantageLabel(market: Market, percentage: number): string {
  return wordsFor(market)('badge.proPriceAdvantage', { reduction: formatReduction(market, percentage) })
}
