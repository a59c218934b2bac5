import type { Result } from '@purlin/contract/refusals.ts'
import { customerIdOf } from '#accounts'
import { cartOwnerOf } from './cart-owner.ts'
import { readingAside, type Scope } from '#platform'
import { normaliseCode } from './coupon.ts'
import { loadCart, priceStoredCart } from './load-cart.ts'
import { countCouponAttempts, noteCouponAttempt, readCoupon, setCoupon } from './store.ts'

/** Wrong guesses per quarter of an hour before the field stops accepting codes (A22). */
const maxGuesses = 10

/** Applies a coupon to the cart, replacing any other. Limits are counted when the order is placed. */
export async function applyCoupon(command: Scope, typed: string): Promise<Result> {
  const scope = readingAside(command)
  const owner = cartOwnerOf(scope)
  if (owner === null) return { ok: false, reason: 'cart-empty' }
  const cart = await loadCart(scope)
  if (cart.lines.length === 0) return { ok: false, reason: 'cart-empty' }
  if ((await countCouponAttempts(scope.db, owner)) >= maxGuesses) return { ok: false, reason: 'too-many-attempts' }

  const code = normaliseCode(typed)
  const coupon = code === '' ? null : await readCoupon(scope.db, code, customerIdOf(scope))
  if (!coupon || coupon.market !== scope.market) {
    await noteCouponAttempt(scope.db, owner)
    return { ok: false, reason: coupon ? 'coupon-other-market' : 'coupon-unknown' }
  }
  const { couponReason } = await priceStoredCart(scope, { ...cart, couponCode: code, coupon })
  if (couponReason) return { ok: false, reason: couponReason }
  await setCoupon(scope.db.alone, owner, scope.market, code)
  return { ok: true }
}

export async function removeCoupon(scope: Scope): Promise<Result> {
  const owner = cartOwnerOf(scope)
  if (owner !== null) await setCoupon(scope.db.alone, owner, scope.market, null)
  return { ok: true }
}
