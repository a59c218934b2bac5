import type { Market } from '@purlin/contract/markets.ts'
import { codeOf, eventValues, newId, storeEvents, type Db } from '#platform'
import type { PriceStep } from '#pricing'
import { priceAfter, priceAt, stepsJson } from './agreed-price.ts'
import type { Cart } from './cart.ts'
import { cartColumns, couponJson } from './cart-reads.ts'
import type { Coupon } from './coupon.ts'

// Concurrent additions meet on the line's row and add up there; nothing is read first, so none is lost.
// The statement returns the resulting cart: its own writes, and the rest as of the statement's start. That is the whole
// cart unless somebody else changed it in between, which its version reveals.
const growLine = {
  name: 'cart.grow-line',
  text: `with kept as (
      insert into cart.cart as c (id, owner, market) values ($1, $2, $3)
      on conflict (owner, market) do update set version = c.version + 1, updated_at = now()
      returning c.id, c.version, c.coupon_code
    ), grown as (
      insert into cart.line as l (cart_id, offer_id, quantity, seen_price)
      select id, $4, $5, ${priceAt('$6::jsonb', '$5')} from kept
      where (select count(*) from cart.line x where x.cart_id = kept.id and x.offer_id <> $4) < $8
      on conflict (cart_id, offer_id) do update set quantity = l.quantity + excluded.quantity,
        seen_price = ${priceAfter('$6::jsonb', '(l.quantity + excluded.quantity)')}
        where l.quantity + excluded.quantity <= $7
      returning cart_id, offer_id, quantity, seen_price, added_at
    ), line as (
      select * from grown
      union all
      select o.cart_id, o.offer_id, o.quantity, o.seen_price, o.added_at from cart.line o, kept where o.cart_id = kept.id and o.offer_id <> $4
    ), noted as (
      ${storeEvents(9, 'exists (select 1 from grown)')}
    )
    select ${cartColumns('line')}, coalesce((select b.version from cart.cart b where b.id = c.id), 0) + 1 = c.version as "isWhole"
    from kept c, grown`,
}

export interface GrowLine {
  /** Id of the cart, in case it has to be created. */
  newCartId: string
  owner: string
  market: Market
  offerId: string
  quantity: number
  steps: readonly PriceStep[]
  maxQuantity: number
  maxLines: number
}

/**
 * Adds to a line, creating cart and line if needed; the event is stored by the same statement, which is the whole transaction.
 * @returns the resulting cart; null when another command changed it meanwhile and it must be read; undefined when a limit
 * would be exceeded
 */
export async function growCartLine(db: Db, wish: GrowLine): Promise<Cart | null | undefined> {
  const row = await db.alone.row<Cart & { isWhole: boolean }>(growLine, [
    wish.newCartId,
    wish.owner,
    wish.market,
    wish.offerId,
    wish.quantity,
    stepsJson(wish.steps),
    wish.maxQuantity,
    wish.maxLines,
    ...eventValues('cart.line-added', { cartId: wish.newCartId, offerId: wish.offerId, quantity: wish.quantity }),
  ])
  if (!row) return undefined
  const { isWhole, ...cart } = row
  return isWhole ? cart : null
}

const setLine = {
  name: 'cart.set-line',
  text: `with kept as (
      update cart.cart set version = version + 1, updated_at = now() where owner = $1 and market = $2 returning id
    ), written as (
      update cart.line l set quantity = $4, seen_price = ${priceAfter('$5::jsonb', '$4')}
        where cart_id in (select id from kept) and offer_id = $3 returning offer_id
    )
    select offer_id from written`,
}
const dropLine = {
  name: 'cart.drop-line',
  text: `with kept as (
      update cart.cart set version = version + 1, updated_at = now() where owner = $1 and market = $2 returning id
    ), written as (
      delete from cart.line where cart_id in (select id from kept) and offer_id = $3 returning offer_id
    )
    select offer_id from written`,
}

/** False when the owner has no such line. */
export async function setCartLine(
  db: Db,
  owner: string,
  market: Market,
  offerId: string,
  quantity: number,
  steps: readonly PriceStep[],
): Promise<boolean> {
  return (await db.rows(setLine, [owner, market, offerId, quantity, stepsJson(steps)])).length > 0
}

/** False when the owner has no such line. */
export async function dropCartLine(db: Db, owner: string, market: Market, offerId: string): Promise<boolean> {
  return (await db.rows(dropLine, [owner, market, offerId])).length > 0
}

const replaceLine = {
  name: 'cart.replace-line',
  text: `with gone as (
      delete from cart.line where cart_id = $1 and offer_id = $2 returning cart_id, added_at
    ), kept as (
      update cart.cart set version = version + 1, updated_at = now() where id in (select cart_id from gone) returning id
    ), written as (
      insert into cart.line as l (cart_id, offer_id, quantity, seen_price, added_at)
      select cart_id, $3, $4, $5, added_at from gone
      on conflict (cart_id, offer_id) do update set quantity = least(l.quantity + excluded.quantity, $6)
      returning cart_id, offer_id, quantity
    )
    select written.offer_id from written, kept`,
}

/** Puts another offer in a line's place; false when there is no such line. */
export async function replaceCartLine(
  db: Db,
  cartId: string,
  offerId: string,
  by: { offerId: string; quantity: number; price: number; maxQuantity: number },
): Promise<boolean> {
  return (await db.rows(replaceLine, [cartId, offerId, by.offerId, by.quantity, by.price, by.maxQuantity])).length > 0
}

const agree = {
  name: 'cart.agree',
  text: `with kept as (
      update cart.cart set version = version + 1, updated_at = now() where id = $1 returning id
    ), gone as (
      delete from cart.line where cart_id in (select id from kept) and offer_id = any($2::bigint[])
    ), written as (
      update cart.line l set quantity = a.quantity, seen_price = a.price
      from unnest($3::bigint[], $4::integer[], $5::integer[]) as a (offer_id, quantity, price), kept
      where l.cart_id = kept.id and l.offer_id = a.offer_id
      returning l.offer_id
    )
    select offer_id from written`,
}

/** Applies accepted changes: unavailable lines are removed, the others take the new price and quantity. */
export async function agreeToChanges(
  db: Db,
  cartId: string,
  gone: readonly string[],
  kept: readonly { offerId: string; quantity: number; price: number }[],
): Promise<void> {
  await db.run(agree, [cartId, gone, kept.map((line) => line.offerId), kept.map((line) => line.quantity), kept.map((line) => line.price)])
}

const writeCoupon = {
  name: 'cart.write-coupon',
  text: `insert into cart.cart as c (id, owner, market, coupon_code) values ($1, $2, $3, $4)
    on conflict (owner, market) do update set coupon_code = excluded.coupon_code, version = c.version + 1, updated_at = now()`,
}

export async function setCoupon(db: Db, owner: string, market: Market, code: string | null): Promise<void> {
  await db.run(writeCoupon, [newId(), owner, market, code])
}

const selectCoupon = {
  name: 'cart.coupon',
  text: `select ${couponJson} as coupon from cart.coupon k where k.code = $1 and (k.customer_id is null or k.customer_id = $2)`,
}

/** The coupon of a code that this customer may use: somebody else's is as unknown as one that does not exist. */
export async function readCoupon(db: Db, code: string, customerId: string | null): Promise<Coupon | null> {
  return (await db.row<{ coupon: Coupon }>(selectCoupon, [code, customerId]))?.coupon ?? null
}

const choose = {
  name: 'cart.choose-delivery',
  text: `with kept as (
      update cart.cart set version = version + 1, updated_at = now() where id = $1 returning id
    )
    insert into cart.delivery_choice (cart_id, seller_id, kind)
    select kept.id, c.seller_id, c.kind from kept, unnest($2::integer[], $3::text[]) as c (seller_id, kind)
    on conflict (cart_id, seller_id) do update set kind = excluded.kind`,
}

/** Of two choices for one seller the last wins. */
export async function writeChoices(db: Db, cartId: string, choices: readonly { sellerId: number; kind: string }[]): Promise<void> {
  const kinds = new Map(choices.map(({ sellerId, kind }) => [sellerId, kind]))
  await db.run(choose, [cartId, [...kinds.keys()], [...kinds.values()]])
}

// The guarded counter of design rule 2; the ordinal's unique key enforces the limit per customer among concurrent orders,
// other unique keys that a person, and a company, has one first order.
const redeem = {
  name: 'cart.redeem-coupon',
  text: `with counted as (
      update cart.coupon set used = used + 1
      where code = $1 and (customer_id is null or customer_id = $4) and (total_limit is null or used < total_limit) and ended_on is null
      returning code, per_customer_limit, first_order_only
    ), redeemed as (
      insert into cart.coupon_redemption (code, customer_key, ordinal, customer_order_id, is_first_order, company_id)
      select code, $2, free.ordinal, $3, counted.first_order_only, case when counted.first_order_only then $5::uuid end from counted, lateral (
        select g.ordinal from generate_series(1, counted.per_customer_limit) as g (ordinal)
        where not exists (select 1 from cart.coupon_redemption r where r.code = $1 and r.customer_key = $2 and r.ordinal = g.ordinal)
        order by g.ordinal limit 1
      ) free
      on conflict do nothing returning code
    )
    select exists (select 1 from counted) as counted, exists (select 1 from redeemed) as redeemed`,
}

/** Consumes a coupon for an order; the caller rolls back on failure. */
export async function redeemCoupon(
  db: Db,
  code: string,
  customer: { key: string; id: string | null; companyId: string | null },
  customerOrderId: string,
): Promise<'ok' | 'exhausted' | 'already-used'> {
  const row = await db.row<{ counted: boolean; redeemed: boolean }>(redeem, [
    code,
    customer.key,
    customerOrderId,
    customer.id,
    customer.companyId,
  ])
  if (row?.redeemed) return 'ok'
  return row?.counted ? 'already-used' : 'exhausted'
}

const unredeem = {
  name: 'cart.release-coupon',
  text: `with released as (
      delete from cart.coupon_redemption where customer_order_id = $1 returning code
    )
    update cart.coupon set used = used - 1 where code in (select code from released)`,
}

export async function releaseCoupon(db: Db, customerOrderId: string): Promise<void> {
  await db.run(unredeem, [customerOrderId])
}

const takeOut = {
  name: 'cart.take-out-bought',
  text: `with kept as (
      update cart.cart set version = version + 1, updated_at = now(),
        coupon_code = case when coupon_code is not distinct from $4 then null else coupon_code end
      where id = $1 returning id
    ), bought as (
      select * from unnest($2::bigint[], $3::integer[]) as b (offer_id, quantity)
    ), gone as (
      delete from cart.line l using kept, bought b where l.cart_id = kept.id and l.offer_id = b.offer_id and l.quantity <= b.quantity
    )
    update cart.line l set quantity = l.quantity - b.quantity from kept, bought b
    where l.cart_id = kept.id and l.offer_id = b.offer_id and l.quantity > b.quantity`,
}

/** Removes what was bought from a cart, and nothing else. */
export async function removeBoughtLines(
  db: Db,
  cartId: string,
  bought: readonly { offerId: string; quantity: number }[],
  couponCode: string | null,
): Promise<void> {
  await db.run(takeOut, [cartId, bought.map(({ offerId }) => offerId), bought.map(({ quantity }) => quantity), couponCode])
}

const lockPair = {
  name: 'cart.lock-pair',
  text: `select id, owner, market, coupon_code as "couponCode" from cart.cart where owner = any($1) order by id for update`,
}
const moveLines = {
  name: 'cart.move-lines',
  text: `with moved as (
      delete from cart.line where cart_id = $1 returning offer_id, quantity, seen_price, added_at
    )
    insert into cart.line as l (cart_id, offer_id, quantity, seen_price, added_at)
    select $2, offer_id, quantity, seen_price, added_at from moved
    on conflict (cart_id, offer_id) do update set quantity = greatest(l.quantity, excluded.quantity)`,
}

const handOverCart = { name: 'cart.hand-over', text: 'update cart.cart set owner = $2, version = version + 1 where id = $1' }

/** Changes the owner of the cart itself, so that an order being made from it continues. */
async function handOver(db: Db, id: string, into: string): Promise<void> {
  await db.run(handOverCart, [id, into]).catch((error: unknown) => {
    // The customer has a cart in the meantime: the retry of this command finds it and moves the lines.
    throw codeOf(error) === '23505'
      ? Object.assign(new Error('The customer has a cart in the meantime', { cause: error }), { code: '40001' })
      : error
  })
}

const removeOne = { name: 'cart.delete-one', text: 'delete from cart.cart where id = $1' }
const keepCoupon = { name: 'cart.keep-coupon', text: 'update cart.cart set coupon_code = coalesce(coupon_code, $2) where id = $1' }

/** Gives a cart to another owner, in place of their own empty one, whose coupon it keeps if it has none. The caller holds both. */
export async function giveCart(db: Db, id: string, into: string, empty: Pick<Cart, 'id' | 'couponCode'>): Promise<void> {
  if (empty.id !== null) await db.run(removeOne, [empty.id])
  if (empty.couponCode !== null) await db.run(keepCoupon, [id, empty.couponCode])
  await handOver(db, id, into)
}

/** Moves all lines of one owner into the other's carts; a line in both keeps the greater quantity. */
export async function moveCarts(db: Db, from: string, into: string): Promise<void> {
  const carts = await db.rows<{ id: string; owner: string; market: Market; couponCode: string | null }>(lockPair, [[from, into]])
  for (const source of carts.filter(({ owner }) => owner === from)) {
    const target = carts.find(({ owner, market }) => owner === into && market === source.market)
    if (!target) {
      await handOver(db, source.id, into)
      continue
    }
    await db.run(moveLines, [source.id, target.id])
    await db.run(
      {
        name: 'cart.after-move',
        text: 'update cart.cart set version = version + 1, coupon_code = coalesce(coupon_code, $2) where id = $1',
      },
      [target.id, source.couponCode],
    )
    await db.run({ name: 'cart.emptied', text: 'update cart.cart set version = version + 1, coupon_code = null where id = $1' }, [
      source.id,
    ])
  }
}

const removeCarts = { name: 'cart.delete-all', text: 'delete from cart.cart where owner = $1' }

/** Deletes all carts of a customer whose account is deleted. */
export async function removeCartsOf(db: Db, owner: string): Promise<void> {
  await db.run(removeCarts, [owner])
}
