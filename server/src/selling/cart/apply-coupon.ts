import type { Result } from '@purlin/contract/refusals.ts'
import { customerIdOf } from '#accounts'
import { cartOwnerOf } from './cart-owner.ts'
import { readingAside, takeQuota, type Scope } from '#platform'
import { normaliseCode } from './coupon.ts'
import { loadCart, priceHeldCart } from './load-cart.ts'
import { readCoupon, setCoupon } from './store.ts'

/** Applies a coupon to the cart, replacing any other. Limits are counted when the order is placed. */
export async function applyCoupon(command: Scope, typed: string): Promise<Result> {
  const scope = readingAside(command)
  const owner = cartOwnerOf(scope)
  if (owner === null) return { ok: false, reason: 'cart-empty' }
  const cart = await loadCart(scope)
  if (cart.lines.length === 0) return { ok: false, reason: 'cart-empty' }
  // Every try counts until it turns out to be no guess, so that parallel ones cannot pass together (A22).
  const subjects = { session: scope.session?.id, customer: customerIdOf(scope), address: scope.remoteAddress }
  const taken = await takeQuota('coupon-guess', subjects)
  if (!taken.ok) return { ok: false, reason: 'too-many-attempts' }

  const code = normaliseCode(typed)
  const coupon = code === '' ? null : await readCoupon(scope.db, code, customerIdOf(scope))
  if (!coupon || coupon.market !== scope.market) {
    return { ok: false, reason: coupon ? 'coupon-other-market' : 'coupon-unknown' }
  }
  await taken.giveBack()
  const { couponReason } = await priceHeldCart(scope, { ...cart, couponCode: code, coupon })
  if (couponReason) return { ok: false, reason: couponReason }
  await setCoupon(scope.db.alone, owner, scope.market, code)
  return { ok: true }
}

export async function removeCoupon(scope: Scope): Promise<Result> {
  const owner = cartOwnerOf(scope)
  if (owner !== null) await setCoupon(scope.db.alone, owner, scope.market, null)
  return { ok: true }
}
