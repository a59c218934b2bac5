import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { Coupon } from './coupon.ts'

/** A coupon for everybody, as operators see it. */
export interface CouponForAll extends Coupon {
  /** As it was made; `endedOn` is the day before it was ended. */
  endsOn: string
  endedOn: string | null
  isListed: boolean
  /** Empty for coupons that no operator has made. */
  changes: { change: 'made' | 'ended'; by: string; at: string }[]
}

const columns = `k.code, k.market, k.kind, k.value, k.min_amount as "minAmount", k.seller_id as "sellerId", k.category_id as "categoryId",
  k.starts_on::text as "startsOn", k.ends_on::text as "endsOn", k.ended_on::text as "endedOn", k.total_limit as "totalLimit",
  k.per_customer_limit as "perCustomerLimit", k.first_order_only as "firstOrderOnly", k.audience, k.is_listed as "isListed", k.used,
  coalesce((select jsonb_agg(jsonb_build_object('change', h.change, 'by', h.changed_by, 'at', h.changed_at) order by h.id)
    from cart.coupon_change h where h.code = k.code), '[]') as changes`

const one = { name: 'cart.coupon-for-all', text: `select ${columns} from cart.coupon k where k.code = $1 and k.customer_id is null` }
const list = {
  name: 'cart.coupons-for-all',
  text: `select ${columns} from cart.coupon k where k.market = $1 and k.customer_id is null and k.code > $2 order by k.code limit $3`,
}
const several = {
  name: 'cart.coupons-by-code',
  text: `select ${columns} from cart.coupon k where k.code = any($1) and k.customer_id is null`,
}

export function readCouponForAll(db: Db, code: string): Promise<CouponForAll | undefined> {
  return db.row<CouponForAll>(one, [code])
}

/** Coupons of a market by code, after the given one. */
export function listCoupons(db: Db, market: Market, { after, limit }: { after: string; limit: number }): Promise<CouponForAll[]> {
  return db.rows<CouponForAll>(list, [market, after, limit])
}

export function readCouponsByCode(db: Db, codes: readonly string[]): Promise<CouponForAll[]> {
  return db.rows<CouponForAll>(several, [codes])
}

const insert = {
  name: 'cart.make-coupon',
  text: `with made as (
      insert into cart.coupon (code, market, kind, value, min_amount, seller_id, category_id, starts_on, ends_on, total_limit,
        per_customer_limit, first_order_only, is_listed, audience)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) on conflict (code) do nothing returning code
    )
    insert into cart.coupon_change (code, change, changed_by) select code, 'made', $15 from made`,
}

type NewCoupon = Omit<CouponForAll, 'used' | 'endedOn' | 'changes'>

/** False if the code exists already. */
export async function insertCoupon(db: Db, coupon: NewCoupon, by: string): Promise<boolean> {
  const { code, market, kind, value, minAmount, sellerId, categoryId, startsOn, endsOn, totalLimit, perCustomerLimit } = coupon
  const limits = [startsOn, endsOn, totalLimit, perCustomerLimit, coupon.firstOrderOnly, coupon.isListed, coupon.audience]
  return (await db.run(insert, [code, market, kind, value, minAmount, sellerId, categoryId, ...limits, by])) > 0
}

const end = {
  name: 'cart.end-coupon',
  text: `with ended as (
      update cart.coupon set ended_on = $2 where code = $1 and ended_on is null returning code
    )
    insert into cart.coupon_change (code, change, changed_by) select code, 'ended', $3 from ended`,
}

/** False if it was ended before. */
export async function endCouponRow(db: Db, code: string, on: string, by: string): Promise<boolean> {
  return (await db.run(end, [code, on, by])) > 0
}
