import { markets, type Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { customerIdOf, emailOf } from '#accounts'
import { inLanguage, reference } from '#catalogue'
import type { Scope } from '#platform'
import { formatReduction, localDay, showMoney } from '#pricing'
import { knownSellers } from '#sellers'
import { customerKey, type Coupon } from './coupon.ts'
import { hasBought } from './first-order.ts'
import { readOwnCoupons } from './coupon-store.ts'

/** Coupons the viewer may use here today: personal ones first, then by end date. Used-up ones are left out, and those for a first order once there was one. */
export async function showOwnCoupons(scope: Scope) {
  const { db, market, now } = scope
  const customerId = customerIdOf(scope)
  const email = emailOf(scope)
  if (customerId === null || email === null) return []
  const today = localDay(market, now)
  const coupons = await readOwnCoupons(db, { market, customerId, customerKey: customerKey(email), today })
  const firsts = coupons.some(({ firstOrderOnly }) => firstOrderOnly) && !(await hasBought(scope))
  const usable = coupons.filter(({ firstOrderOnly }) => !firstOrderOnly || firsts)
  if (usable.length === 0) return []
  const sellers = await knownSellers(
    scope,
    usable.flatMap(({ sellerId }) => (sellerId === null ? [] : [sellerId])),
  )
  const { categories } = await reference(scope)
  return usable.map((coupon) => {
    const { code, firstOrderOnly, minAmount, sellerId, categoryId, endsOn, totalLimit, used, perCustomerLimit, ownUses, isPersonal } =
      coupon
    const category = categoryId === null ? undefined : categories.byId.get(categoryId)
    return {
      code,
      label: couponBenefit(market, coupon),
      isPersonal,
      isForFirstOrder: firstOrderOnly,
      minimum: minAmount === 0 ? null : showMoney(market, minAmount),
      category: category ? inLanguage(category.names, markets[market].language) : null,
      seller: sellerId === null ? null : (sellers.get(sellerId)?.name ?? null),
      endsOn,
      usesLeft: Math.min(perCustomerLimit - ownUses, totalLimit === null ? Infinity : totalLimit - used),
      isScarce: totalLimit !== null,
    }
  })
}

/** Label of a coupon's benefit: "-10%", "-£5.00", "Free delivery". */
export function couponBenefit(market: Market, coupon: Pick<Coupon, 'kind' | 'value'>): string {
  if (coupon.kind === 'free-delivery') return wordsFor(market)('badge.coupon-free-delivery')
  return coupon.kind === 'percent' ? formatReduction(market, coupon.value) : showMoney(market, -coupon.value).formatted
}
