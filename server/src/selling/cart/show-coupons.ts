import { markets, type Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { customerIdOf, emailOf } from '#accounts'
import { inLanguage, reference } from '#catalogue'
import type { Scope } from '#platform'
import { formatReduction, localDay, showMoney } from '#pricing'
import { knownSellers } from '#sellers'
import { belongsIfKnown } from './audience.ts'
import { customerKey, type Coupon } from './coupon.ts'
import { hasBought } from './first-order.ts'
import { readOwnCoupons, readUsesLeft } from './coupon-store.ts'

/** Coupons the viewer may use here today: personal ones first, then by end date. Used-up ones are left out, and so are those for a first order once there was one, and for an audience to which the viewer does not belong. */
export async function showOwnCoupons(scope: Scope) {
  const { db, market, now } = scope
  const customerId = customerIdOf(scope)
  const email = emailOf(scope)
  if (customerId === null || email === null) return []
  const today = localDay(market, now)
  const coupons = await readOwnCoupons(db, { market, customerId, customerKey: customerKey(email), today })
  const firsts = coupons.some(({ firstOrderOnly }) => firstOrderOnly) && !(await hasBought(scope))
  const audiences = new Set(coupons.flatMap(({ audience }) => audience ?? []))
  const own = await Promise.all([...audiences].map(async (audience) => ((await belongsIfKnown(scope, audience)) ? [audience] : [])))
  const isForViewer = ({ audience }: Pick<Coupon, 'audience'>) => audience === null || own.flat().includes(audience)
  const usable = coupons.filter((coupon) => (!coupon.firstOrderOnly || firsts) && isForViewer(coupon))
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

/** How often the viewer may still use a coupon, as far as it is limited for each customer. */
export async function usesLeft(scope: Scope, code: string): Promise<number> {
  const email = emailOf(scope)
  return email === null ? 0 : readUsesLeft(scope.db, code, customerKey(email))
}

/** Label of a coupon's benefit: "-10%", "-£5.00", "Free delivery". */
export function couponBenefit(market: Market, coupon: Pick<Coupon, 'kind' | 'value'>): string {
  if (coupon.kind === 'free-delivery') return wordsFor(market)('badge.coupon-free-delivery')
  return coupon.kind === 'percent' ? formatReduction(market, coupon.value) : showMoney(market, -coupon.value).formatted
}
