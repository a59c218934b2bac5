import { couponAudiences } from '@purlin/contract/coupon-audience.ts'
import type { Market } from '@purlin/contract/markets.ts'
import * as v from 'valibot'
import { reference } from '#catalogue'
import { shellTags, switchesTag } from '#flags'
import { purgePages, type JobScope } from '#platform'
import { addDays, localDay } from '#pricing'
import { knownSellers } from '#sellers'
import { endCouponRow, insertCoupon, readCouponForAll, type CouponForAll } from './operator-coupon-store.ts'

/** What operators do with coupons for everybody. Personal ones are given by the shop itself. */

export const isCouponCode = (code: string): boolean => /^[A-Z0-9-]{3,30}$/.test(code)

const whole = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most))
const isDay = (text: string) => {
  const at = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
const day = v.pipe(v.string(), v.check(isDay, 'a day as 2026-12-31'))
const maxAmount = 100_000_000
const maxDays = 1_100
const greatest = { percent: 90, amount: 1_000_000, 'free-delivery': 0 } as const

export const couponInput = v.pipe(
  v.strictObject({
    kind: v.picklist(['percent', 'amount', 'free-delivery']),
    /** Percent, or minor units with VAT; left out for free delivery. */
    value: v.optional(whole(0, maxAmount), 0),
    /** Minor units with VAT. */
    minAmount: v.optional(whole(0, maxAmount), 0),
    sellerId: v.optional(v.nullable(whole(1, 999_999_999)), null),
    categoryId: v.optional(v.nullable(whole(1, 999_999_999)), null),
    /** First and last day in the market's own calendar. */
    startsOn: day,
    endsOn: day,
    totalLimit: v.optional(v.nullable(whole(1, maxAmount)), null),
    perCustomerLimit: v.optional(whole(1, 1_000), 1),
    firstOrderOnly: v.optional(v.boolean(), false),
    /** The customers for whom alone it is. */
    audience: v.optional(v.nullable(v.picklist(couponAudiences)), null),
    /** Shown in their account to every customer of the market who may use it. */
    isListed: v.optional(v.boolean(), false),
  }),
  v.check(({ kind, value }) => value <= greatest[kind], 'value: at most 90 for percent, 1000000 for amount, none for free-delivery'),
  v.check(({ kind, value }) => kind === 'free-delivery' || value > 0, 'value: at least 1'),
  v.check(({ startsOn, endsOn }) => startsOn <= endsOn, 'endsOn: ends before it begins'),
  v.check(
    ({ startsOn, endsOn }) => !isDay(startsOn) || endsOn <= addDays(startsOn, maxDays),
    `endsOn: at most ${maxDays} days after startsOn`,
  ),
  v.check(({ firstOrderOnly, perCustomerLimit }) => !firstOrderOnly || perCustomerLimit === 1, 'perCustomerLimit: 1 for a first order'),
)
export type CouponInput = v.InferOutput<typeof couponInput>

interface Which {
  market: Market
  code: string
  /** Who makes or ends it. */
  by: string
}

/** `code-taken`: the code belongs to another coupon, perhaps of another market, or to a customer. */
type CouponRefusal = 'code-taken' | 'coupon-over' | 'unknown-seller' | 'unknown-category'
type Made = { ok: true; coupon: CouponForAll; made: boolean } | { ok: false; reason: CouponRefusal }

/** Makes a coupon. The same coupon again changes nothing and returns it; a code stands for one coupon for ever. */
export async function makeCoupon(scope: JobScope, { market, code, by }: Which, input: CouponInput): Promise<Made> {
  const before = await readCouponForAll(scope.db, code)
  if (before) return asBefore(before, market, input)
  if (input.endsOn < localDay(market, scope.now)) return { ok: false, reason: 'coupon-over' }
  if (input.sellerId !== null && !(await knownSellers(scope, [input.sellerId])).has(input.sellerId))
    return { ok: false, reason: 'unknown-seller' }
  if (input.categoryId !== null && !(await reference(scope)).categories.byId.has(input.categoryId))
    return { ok: false, reason: 'unknown-category' }
  const made = await insertCoupon(scope.db, { ...input, market, code }, by)
  // Of two concurrent requests the second meets the first one's coupon.
  const coupon = await readCouponForAll(scope.db, code)
  if (!coupon) return { ok: false, reason: 'code-taken' }
  if (!made) return asBefore(coupon, market, input)
  await purge(scope, market)
  // Offers may name the code already.
  if (coupon.audience !== null) scope.emit('coupon.hidden', { market, code })
  return { ok: true, coupon, made }
}

function asBefore(before: CouponForAll, market: Market, input: CouponInput): Made {
  const isSame = before.market === market && (Object.keys(input) as (keyof CouponInput)[]).every((field) => before[field] === input[field])
  return isSame ? { ok: true, coupon: before, made: false } : { ok: false, reason: 'code-taken' }
}

/** Ends a coupon at once; carts that hold it are told so, placed orders keep their discount. False if there is no such coupon. */
export async function endCoupon(scope: JobScope, { market, code, by }: Which): Promise<boolean> {
  const coupon = await readCouponForAll(scope.db, code)
  if (coupon?.market !== market) return false
  const ended = await endCouponRow(scope.db, code, addDays(localDay(market, scope.now), -1), by)
  if (ended) await purge(scope, market)
  return true
}

/** Pages that announce it. */
const purge = ({ db }: JobScope, market: Market) => purgePages(db, [switchesTag, ...shellTags({ markets: [market] })])

export type CouponState = 'coming' | 'running' | 'used-up' | 'over' | 'ended'

export function couponState(
  { market, startsOn, endsOn, endedOn, totalLimit, used }: Omit<CouponForAll, 'changes'>,
  now: Date,
): CouponState {
  const today = localDay(market, now)
  if (endedOn !== null) return 'ended'
  if (endsOn < today) return 'over'
  if (totalLimit !== null && used >= totalLimit) return 'used-up'
  return startsOn > today ? 'coming' : 'running'
}
