import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import { couponEndsOn } from './cart-reads.ts'
import type { Coupon } from './coupon.ts'

/** A coupon a customer may use. */
export interface OwnCoupon extends Coupon {
  /** Theirs alone. */
  isPersonal: boolean
  /** How often they have used it. */
  ownUses: number
}

const own = {
  name: 'cart.own-coupons',
  text: `select * from (
      select k.code, k.market, k.kind, k.value, k.min_amount as "minAmount", k.seller_id as "sellerId", k.category_id as "categoryId",
        k.starts_on::text as "startsOn", ${couponEndsOn}::text as "endsOn", k.total_limit as "totalLimit", k.per_customer_limit as "perCustomerLimit",
        k.used, k.first_order_only as "firstOrderOnly", k.audience, k.customer_id is not null as "isPersonal",
        (select count(*)::integer from cart.coupon_redemption r where r.code = k.code and r.customer_key = $3) as "ownUses"
      from cart.coupon k
      where k.market = $1 and (k.customer_id = $2 or (k.is_listed and k.customer_id is null)) and $4::date between k.starts_on and ${couponEndsOn}
        and (k.total_limit is null or k.used < k.total_limit)
    ) c where c."ownUses" < c."perCustomerLimit" order by c."isPersonal" desc, c."endsOn", c.code limit 50`,
}

interface Whose {
  market: Market
  customerId: string
  /** Who a limit per customer counts. */
  customerKey: string
  /** The day in the market's own calendar. */
  today: string
}

export function readOwnCoupons(db: Db, { market, customerId, customerKey, today }: Whose): Promise<OwnCoupon[]> {
  return db.rows<OwnCoupon>(own, [market, customerId, customerKey, today])
}

const left = {
  name: 'cart.coupon-uses-left',
  text: `select k.per_customer_limit - (select count(*)::integer from cart.coupon_redemption r where r.code = k.code and r.customer_key = $2) as left
    from cart.coupon k where k.code = $1`,
}

/** How often a customer may still use a coupon, as far as it is limited for each of them. */
export async function readUsesLeft(db: Db, code: string, customerKey: string): Promise<number> {
  return (await db.row<{ left: number }>(left, [code, customerKey]))?.left ?? 0
}

/** A coupon for one customer alone. */
export interface GrantedCoupon extends Omit<Coupon, 'sellerId' | 'categoryId' | 'totalLimit' | 'used' | 'firstOrderOnly' | 'audience'> {
  customerId: string
}

const grant = {
  name: 'cart.grant-coupons',
  text: `insert into cart.coupon (code, market, kind, value, min_amount, starts_on, ends_on, per_customer_limit, customer_id)
    select g.code, g.market, g.kind, g.value, g."minAmount", g."startsOn", g."endsOn", g."perCustomerLimit", g."customerId"
    from jsonb_to_recordset($1::jsonb) as g (code text, market text, kind text, value integer, "minAmount" integer, "startsOn" date,
      "endsOn" date, "perCustomerLimit" integer, "customerId" uuid)
    on conflict (code) do nothing`,
}

/** Gives customers coupons of their own; a code that exists already stays as it is. */
export async function grantCoupons(db: Db, coupons: readonly GrantedCoupon[]): Promise<void> {
  if (coupons.length > 0) await db.run(grant, [JSON.stringify(coupons)])
}

const restricted = { name: 'cart.coupons-for-audiences', text: 'select market, code from cart.coupon where audience is not null' }

/** Codes of coupons that are for some customers, of all markets and days. */
export function readRestrictedCodes(db: Db): Promise<Pick<Coupon, 'market' | 'code'>[]> {
  return db.rows(restricted)
}

const forSome = {
  name: 'cart.codes-for-some',
  text: 'select code from cart.coupon where market = $1 and code = any($2) and (audience is not null or customer_id is not null)',
}

/** Which of these codes only some customers may use, or one. */
export async function readCodesForSome(db: Db, market: Market, codes: readonly string[]): Promise<string[]> {
  return (await db.rows<{ code: string }>(forSome, [market, codes])).map(({ code }) => code)
}

type RunningCoupon = Pick<Coupon, 'code' | 'market' | 'kind' | 'value' | 'startsOn' | 'endsOn'>

const running = {
  name: 'cart.running-coupons',
  text: `select k.code, k.market, k.kind, k.value, k.starts_on::text as "startsOn", ${couponEndsOn}::text as "endsOn" from cart.coupon k
    where k.customer_id is null and k.audience is null and ${couponEndsOn} >= current_date - 1 and k.starts_on <= current_date + 1 limit 5000`,
}

/** Coupons for everybody around today, in all markets; each market's own calendar decides about today. */
export function readRunningCoupons(db: Db): Promise<RunningCoupon[]> {
  return db.rows<RunningCoupon>(running)
}
