import type { Market } from '@purlin/contract/markets.ts'
import { besideSession } from '#accounts'
import { offersFromJson, offersJsonOf, offersToPriceJsonOf, type OfferForSale, type OfferToPrice } from '#catalogue'
import { takeBeside, type Beside, type Db, type Scope } from '#platform'
import { emptyCart, type Cart } from './cart.ts'

/** The last day of a coupon `k`, or the day before it was ended. */
export const couponEndsOn = 'least(k.ends_on, k.ended_on)'

export const couponJson = `jsonb_build_object('code', k.code, 'market', k.market, 'kind', k.kind, 'value', k.value, 'minAmount', k.min_amount,
  'sellerId', k.seller_id, 'categoryId', k.category_id, 'startsOn', k.starts_on, 'endsOn', ${couponEndsOn}, 'totalLimit', k.total_limit,
  'perCustomerLimit', k.per_customer_limit, 'used', k.used, 'firstOrderOnly', k.first_order_only, 'audience', k.audience)`

/** Columns of a cart `c`, with its lines taken from the given table. */
export const cartColumns = (lines = 'cart.line') => `c.id, c.version, c.coupon_code as "couponCode",
  coalesce((select jsonb_agg(jsonb_build_object('offerId', l.offer_id::text, 'quantity', l.quantity, 'seenPrice', l.seen_price)
    order by l.added_at, l.offer_id) from ${lines} l where l.cart_id = c.id), '[]') as lines,
  coalesce((select jsonb_object_agg(d.seller_id, d.kind) from cart.delivery_choice d where d.cart_id = c.id), '{}') as choices,
  (select ${couponJson} from cart.coupon k where k.code = c.coupon_code) as coupon`

const selectCart = { name: 'cart.of-owner', text: `select ${cartColumns()} from cart.cart c where c.owner = $1 and c.market = $2` }
const offerIds = 'array(select l.offer_id from cart.line l where l.cart_id = c.id)'
const offersJson = offersJsonOf(offerIds)
const forSale = (owner: string, market: string) =>
  `select ${cartColumns()}, ${offersJson} as offers from cart.cart c where c.owner = ${owner} and c.market = ${market}`
const selectForSale = { name: 'cart.for-sale', text: forSale('$1', '$2') }
const selectToPrice = {
  name: 'cart.to-price',
  text: `select ${cartColumns()}, ${offersToPriceJsonOf(offerIds)} as offers from cart.cart c where c.owner = $1 and c.market = $2`,
}
/** SQL: the key of the viewer's cart as `cartOwnerIn` forms it, by the storefront. */
export const viewersCart = (mode: string) =>
  `viewer.owner || case when ${mode}::text = 'b2b' and viewer.owner like 'c:%' then ':pro' else '' end`
const forSaleToViewer = besideSession('cart.for-sale-to-viewer', forSale(viewersCart('$4'), '$3'))
const itemsOf = (owner: string, market: string) =>
  `select 1 as id, coalesce(sum(l.quantity), 0)::integer as count from cart.cart c join cart.line l on l.cart_id = c.id
    where c.owner = ${owner} and c.market = ${market}`
const countItems = { name: 'cart.count-items', text: itemsOf('$1', '$2') }
const countItemsOfViewer = besideSession('cart.count-of-viewer', itemsOf(viewersCart('$4'), '$3'))
// A statement that waited for the lock sees the lines as they were before; the version of the locked row reveals that.
const locked = (columns: string) => `with held as (
      select id, version from cart.cart where owner = $1 and market = $2 for update
    )
    select ${columns}, held.version = c.version as "isCurrent" from held join cart.cart c on c.id = held.id`
const lock = { name: 'cart.locked', text: locked(cartColumns()) }
const lockForSale = { name: 'cart.for-sale-locked', text: locked(`${cartColumns()}, ${offersJson} as offers`) }

/** The owner's cart; an empty one if there is none. One statement. */
export async function readCart(db: Db, owner: string, market: Market): Promise<Cart> {
  return (await db.row<Cart>(selectCart, [owner, market])) ?? emptyCart
}

/** The same, locked until the transaction ends. */
export async function lockCart(db: Db, owner: string, market: Market): Promise<Cart> {
  const row = await db.row<Cart & { isCurrent: boolean }>(lock, [owner, market])
  if (!row) return emptyCart
  const { isCurrent, ...held } = row
  return isCurrent ? held : readCart(db, owner, market)
}

/** A cart with the facts that decide on the prices of its offers: a third of the data that pages show. One statement. */
export async function readCartToPrice(db: Db, owner: string, market: Market): Promise<{ cart: Cart; offers: OfferToPrice[] }> {
  const { offers, ...cart } = (await db.row<Cart & { offers: OfferToPrice[] }>(selectToPrice, [owner, market])) ?? {
    ...emptyCart,
    offers: [],
  }
  return { cart, offers }
}

interface CartForSale {
  cart: Cart
  offers: OfferForSale[]
}

/** A cart with its offers, in one statement. */
async function readCartForSale(db: Db, owner: string, market: Market): Promise<CartForSale> {
  return asCartForSale(await db.row<Cart & Pick<CartForSale, 'offers'>>(selectForSale, [owner, market]))
}

/** The viewer's cart for sale, read beside their session. */
export function cartBeside({ market, mode }: Pick<Scope, 'market' | 'mode'>): Beside {
  return { statement: forSaleToViewer, values: [market, mode] }
}

/** The viewer's cart with its offers; an empty one if there is none. */
export async function readOwnCartForSale(scope: Scope, owner: string): Promise<CartForSale> {
  const beside = takeBeside<Cart & Pick<CartForSale, 'offers'>>(scope, cartBeside(scope))
  return beside ? asCartForSale(beside.row) : readCartForSale(scope.db, owner, scope.market)
}

/** The number of pieces in the viewer's cart, read beside their session. */
export function countBeside({ market, mode }: Pick<Scope, 'market' | 'mode'>): Beside {
  return { statement: countItemsOfViewer, values: [market, mode], isJson: true }
}

/** The number of pieces in the viewer's cart. */
export async function countOwnItems(scope: Scope, owner: string): Promise<number> {
  const beside = takeBeside<{ count: number }>(scope, countBeside(scope))
  const row = beside ? beside.row : await scope.db.row<{ count: number }>(countItems, [owner, scope.market])
  return row?.count ?? 0
}

/** A cart with its offers, locked until the transaction ends: what is sold is what was read. */
export async function readCartLocked(db: Db, owner: string, market: Market): Promise<CartForSale> {
  const row = await db.row<Cart & Pick<CartForSale, 'offers'> & { isCurrent: boolean }>(lockForSale, [owner, market])
  if (!row) return asCartForSale(undefined)
  const { isCurrent, ...held } = row
  return isCurrent ? asCartForSale(held) : readCartForSale(db, owner, market)
}

function asCartForSale(row: (Cart & Pick<CartForSale, 'offers'>) | undefined): CartForSale {
  const { offers, ...cart } = row ?? { ...emptyCart, offers: [] }
  return { cart, offers: offersFromJson(offers) }
}
