import type { Market, Mode } from '@purlin/contract/markets.ts'
import { besideSession, wasTheirs, type OwnAddress } from '#accounts'
import { insertPaymentAs, paymentJsonOf, type Payment } from '#payments'
import { newId, type Beside, type Db } from '#platform'
import type { Address, CustomerOrder, OrderTotals, SellerOrder } from './order.ts'
import { customerOrderState, sellerOrderState } from './line-move-store.ts'
import { continuedUntil, exceedsShare, isUsedUp } from './wanted-holds.ts'

const lineJson = `jsonb_build_object('offerId', l.offer_id::text, 'productId', l.product_id::text, 'quantity', l.quantity,
  'unitPrice', l.unit_price, 'total', l.total, 'discount', l.discount, 'net', l.net, 'vat', l.vat, 'vatRateBp', l.vat_rate_bp,
  'taxKey', l.tax_key, 'snapshot', l.snapshot)`
const sellerOrderJson = `jsonb_build_object('id', s.id, 'sellerId', s.seller_id, 'state', ${sellerOrderState}, 'seller', s.seller,
  'deliveryKind', s.delivery_kind, 'deliveryOptions', s.delivery_options, 'pickUpPoint', s.pick_up_point, 'appointment', s.appointment, 'goods', s.goods, 'delivery', s.delivery,
  'discount', s.discount, 'total', s.total, 'sellerDiscount', s.seller_discount, 'commission', s.commission,
  'commissionVat', s.commission_vat, 'commissionTreatment', s.commission_treatment, 'commissionVatBp', s.commission_vat_bp,
  'withheldVat', s.withheld_vat, 'lines', coalesce((select jsonb_agg(${lineJson} order by l.position)
    from orders.order_line l where l.customer_order_id = s.customer_order_id and l.seller_order_id = s.id), '[]'))`
export const orderColumns = `o.id, o.owner, o.company_id as "companyId", o.cart_id as "cartId", o.cart_version as "cartVersion", o.market, o.mode, o.origin, o.currency,
  o.tax_key as "taxKey", o.email, ${customerOrderState} as state, o.address, o.billing_address as "billingAddress", o.coupon_code as "couponCode", o.total,
  o.totals, o.placement, o.created_at as "createdAt", o.placed_at as "placedAt", o.paid_at as "paidAt", o.holds_until as "holdsUntil", o.replaces,
  o.free_return_days as "freeReturnDays",
  coalesce((select jsonb_agg(${sellerOrderJson} order by s.seller_id) from orders.seller_order s where s.customer_order_id = o.id), '[]')
    as "sellerOrders"`

// Owner and market are part of the query, so that a forgotten check cannot expose another's order (A1, design rule 8).
// No link opens a company's order: a former member still has the mails (decision 063).
const openTo = (id: string, market: string, owner: string, companyId: string) =>
  `select ${orderColumns}, ${paymentJsonOf('o.id')} as payment, g.owner is not null as "isShared" from orders.customer_order o
    left join orders.access_grant g on g.owner = ${owner} and g.customer_order_id = o.id and o.company_id is null
    where o.id = ${id} and o.market = ${market} and (o.owner = ${owner} and o.company_id is null or o.company_id = ${companyId} or g.owner is not null)`
const selectOpenTo = { name: 'orders.open-to', text: openTo('$1', '$3', '$2', '$4') }
const openToViewer = besideSession('orders.open-to-viewer', openTo('$3', '$4', 'viewer.owner', 'viewer."companyId"'))
const selectAny = { name: 'orders.by-id', text: `select ${orderColumns} from orders.customer_order o where o.id = $1` }
const selectOpen = {
  name: 'orders.open-of-cart',
  text: `select ${orderColumns} from orders.customer_order o
    where o.cart_id = $1 and o.state in ('draft', 'awaiting-payment', 'authorised')`,
}

export interface Asking {
  owner: string
  companyId: string | null
  market: Market
}

/** An order with the payment of its latest placement. */
export interface OrderSeen extends CustomerOrder {
  payment: Payment | null
  isShared: boolean
}

/** An order made by this owner for themselves, made for this company, or opened to this owner by a link; otherwise undefined. */
export function readOrderOf(db: Db, id: string, { owner, companyId, market }: Asking): Promise<OrderSeen | undefined> {
  return db.row(selectOpenTo, [id, owner, market, companyId])
}

/** The same order, read beside the session of its viewer. */
export function orderBeside(id: string, market: Market): Beside {
  return { statement: openToViewer, values: [id, market] }
}

/** Any order: for jobs only, never for a visitor. */
export function readOrder(db: Db, id: string): Promise<CustomerOrder | undefined> {
  return db.row<CustomerOrder>(selectAny, [id])
}

// For another seller nothing is read, which takes as long as for an unknown order.
const selectOfSeller = {
  name: 'orders.for-seller',
  text: `${selectAny.text} and exists (select 1 from orders.seller_order s where s.customer_order_id = o.id and s.id = $2 and s.seller_id = $3)`,
}

/** The order of a seller order, if that is this seller's; any order for the operator's staff, who belong to none. */
export function readOrderForStaff(
  db: Db,
  id: string,
  { sellerOrderId, sellerId }: { sellerOrderId: string; sellerId: number | null },
): Promise<CustomerOrder | undefined> {
  return sellerId === null ? readOrder(db, id) : db.row<CustomerOrder>(selectOfSeller, [id, sellerOrderId, sellerId])
}

/** The order being made from a cart. */
export function readOpenOrder(db: Db, cartId: string): Promise<CustomerOrder | undefined> {
  return db.row<CustomerOrder>(selectOpen, [cartId])
}

/** Locks the order's row until the transaction ends, then reads it. */
export async function lockOrder(db: Db, id: string): Promise<CustomerOrder | undefined> {
  await db.rows({ name: 'orders.lock', text: 'select id from orders.customer_order where id = $1 for update' }, [id])
  return readOrder(db, id)
}

export interface Draft {
  id: string
  owner: string
  companyId: string | null
  cartId: string
  market: Market
  mode: Mode
  origin: string
  currency: string
  taxKey: string
  email: string
  address: Address
  billingAddress: Address
}

const upsertDraft = {
  name: 'orders.save-draft',
  text: `insert into orders.customer_order as o (id, owner, cart_id, market, mode, currency, tax_key, email, state, address, billing_address, origin, company_id)
    values ($1, $2, $3, $4, $5, $6, $7, $8, 'draft', $9, $10, $11, $12)
    on conflict (cart_id) where state in ('draft', 'awaiting-payment', 'authorised')
    do update set owner = excluded.owner, company_id = excluded.company_id, mode = excluded.mode, origin = excluded.origin, email = excluded.email, address = excluded.address,
      billing_address = excluded.billing_address, updated_at = now()
      where o.state = 'draft' and (o.company_id is null or o.company_id = excluded.company_id)
    returning ${orderColumns}`,
}

/** Creates or updates the cart's draft. Undefined when the cart's order is no longer a draft, or another company's. */
export function saveDraft(db: Db, draft: Draft): Promise<CustomerOrder | undefined> {
  return db.row<CustomerOrder>(upsertDraft, [
    draft.id,
    draft.owner,
    draft.cartId,
    draft.market,
    draft.mode,
    draft.currency,
    draft.taxKey,
    draft.email,
    JSON.stringify(draft.address),
    JSON.stringify(draft.billingAddress),
    draft.origin,
    draft.companyId,
  ])
}

const buying = { offers: '$13', owner: 'customer_order.owner', sender: '$12' }

const place = {
  name: 'orders.place',
  text: `with placed as (
      update orders.customer_order set state = 'awaiting-payment', cart_version = $2, tax_key = $3, coupon_code = $4, total = $5,
        totals = $6, placement = placement + 1, placed_at = now(), holds_until = least(now() + $7 * interval '1 second', ${continuedUntil(buying)}), updated_at = now(), sender_hash = $12,
        free_return_days = $14,
        wanted_at = case when ${continuedUntil(buying)} is not null then now() end
      where id = $1 and state = 'draft' and placement = $11 and not ${isUsedUp(buying)} and not ${exceedsShare({ lines: '$9', sender: '$12', order: '$1' })}
      returning id
    ), sold as (
      insert into orders.seller_order (id, customer_order_id, seller_id, state, seller, delivery_kind, delivery_options, goods, delivery,
        discount, total, seller_discount, commission, commission_vat, commission_treatment, commission_vat_bp, withheld_vat, pick_up_point,
        appointment, outcome)
      select s.id, placed.id, s."sellerId", 'awaiting-payment', s.seller, s."deliveryKind", s."deliveryOptions", s.goods, s.delivery,
        s.discount, s.total, s."sellerDiscount", s.commission, s."commissionVat", s."commissionTreatment", s."commissionVatBp", s."withheldVat",
        s."pickUpPoint", s.appointment, 'open'
      from placed, jsonb_to_recordset($8::jsonb) as s (id text, "sellerId" integer, seller jsonb, "deliveryKind" text,
        "deliveryOptions" jsonb, goods integer, delivery integer, discount integer, total integer, "sellerDiscount" integer,
        commission integer, "commissionVat" integer, "commissionTreatment" text, "commissionVatBp" integer, "withheldVat" integer, "pickUpPoint" jsonb, appointment jsonb)
    ), lines as (
      insert into orders.order_line (customer_order_id, offer_id, seller_order_id, product_id, position, quantity, unit_price, total,
        discount, net, vat, vat_rate_bp, tax_key, snapshot)
      select placed.id, l."offerId", l."sellerOrderId", l."productId", l.position, l.quantity, l."unitPrice", l.total, l.discount, l.net,
        l.vat, l."vatRateBp", l."taxKey", l.snapshot
      from placed, jsonb_to_recordset($9::jsonb) as l ("offerId" bigint, "sellerOrderId" text, "productId" bigint, position smallint,
        quantity integer, "unitPrice" integer, total integer, discount integer, net integer, vat integer, "vatRateBp" integer,
        "taxKey" text, snapshot jsonb)
    ), noted as (
      insert into orders.transition (id, customer_order_id, from_state, to_state, actor, cause)
      select $10, id, 'draft', 'awaiting-payment', 'buyer', 'placed' from placed
    ), ${insertPaymentAs('payment', 15, 'exists (select 1 from placed)')}
    select id from placed where exists (select 1 from payment)`,
  emits: true as const,
}

export interface Placing {
  id: string
  /** Number of earlier placements of the order. */
  placement: number
  cartVersion: number
  couponCode: string | null
  totals: OrderTotals
  sellerOrders: readonly SellerOrder[]
  holdSeconds: number
  /** A hash of the buyer's network, if it is counted. */
  senderHash: string | null
  /** Pieces of each offer that the buyer's network may hold unpaid together. */
  maxHeld: ReadonlyMap<string, number>
  /** Null for consumers. */
  freeReturnDays: number | null
  /** From `paymentRequest`. */
  payment: readonly unknown[]
}

/**
 * Writes the sold lines as of the sale, and requests the payment. False when the order is no longer a draft, was placed in the
 * meantime, or when this buyer or network has held one of the offers for as long, or holds as much of it, as one may. (V-11)
 */
export async function writePlaced(
  db: Db,
  { id, placement, cartVersion, couponCode, totals, sellerOrders, holdSeconds, senderHash, maxHeld, freeReturnDays, payment }: Placing,
): Promise<boolean> {
  const lines = sellerOrders.flatMap((part) => part.lines.map((line) => ({ ...line, sellerOrderId: part.id })))
  const written = await db.run(place, [
    id,
    cartVersion,
    totals.taxKey,
    couponCode,
    totals.total,
    JSON.stringify(totals),
    holdSeconds,
    JSON.stringify(sellerOrders.map((part) => ({ ...part, lines: undefined }))),
    JSON.stringify(lines.map((line, position) => ({ ...line, position, maxHeld: maxHeld.get(line.offerId) }))),
    newId(),
    placement,
    senderHash,
    lines.map(({ offerId }) => offerId),
    freeReturnDays,
    ...payment,
  ])
  return written === 1
}

const overdue = {
  name: 'orders.overdue',
  text: `select id from orders.customer_order where state = 'awaiting-payment' and holds_until < now() order by holds_until limit $1`,
}

export async function readOverdue(db: Db, limit: number): Promise<string[]> {
  return (await db.rows<{ id: string }>(overdue, [limit])).map(({ id }) => id)
}

const lockOne = {
  name: 'orders.lock-overdue',
  text: `select id from orders.customer_order where id = $1 and state = 'awaiting-payment' and holds_until < now() for update`,
}

/** Locks the row of an order whose hold has expired by the database's clock; false when it has not. */
export async function lockOverdue(db: Db, id: string): Promise<boolean> {
  return (await db.row(lockOne, [id])) !== undefined
}

// For an unknown order nothing is read, and no link opens it.
const readForLink = {
  name: 'orders.by-id-with-token',
  text: `with allowed as (
      insert into orders.access_token (token_hash, customer_order_id, expires_at) select $2, id, now() + interval '90 days'
      from orders.customer_order where id = $1 on conflict (token_hash) do nothing
    )
    ${selectAny.text}`,
}
const findToken = {
  name: 'orders.find-token',
  text: `select o.id, o.owner, o.company_id as "companyId", o.email from orders.access_token t join orders.customer_order o on o.id = t.customer_order_id
    where t.token_hash = $1 and t.expires_at > now() and o.market = $2`,
}
const grant = {
  name: 'orders.grant',
  text: `insert into orders.access_grant (owner, customer_order_id) values ($1, $2) on conflict do nothing`,
}

/** Any order, for a mail: from now on the link with this token opens it. */
export function readOrderForLink(db: Db, id: string, hash: Buffer): Promise<CustomerOrder | undefined> {
  return db.row<CustomerOrder>(readForLink, [id, hash])
}

const findEmail = {
  name: 'orders.placed-email',
  text: `select email from orders.customer_order where id = $1 and market = $2 and placed_at is not null`,
}

/** The address a placed order of this market was given; undefined for every other number. */
export async function placedOrderEmail(db: Db, id: string, market: Market): Promise<string | undefined> {
  return (await db.row<{ email: string }>(findEmail, [id, market]))?.email
}

/** The order a link leads to, with its owners. */
export function readTokenOrder(
  db: Db,
  hash: Buffer,
  market: Market,
): Promise<Pick<CustomerOrder, 'id' | 'owner' | 'companyId' | 'email'> | undefined> {
  return db.row(findToken, [hash, market])
}

export async function grantAccess(db: Db, owner: string, customerOrderId: string): Promise<void> {
  await db.run(grant, [owner, customerOrderId])
}

const share = {
  name: 'orders.share-with-customer',
  text: `insert into orders.access_grant (owner, customer_order_id)
    select $2, o.id from orders.customer_order o where o.owner = $1
    union select $2, g.customer_order_id from orders.access_grant g where g.owner = $1
    on conflict do nothing`,
}
const handOver = {
  name: 'orders.hand-over',
  text: `update orders.customer_order set owner = $2, updated_at = now() where owner = $1 and lower(email) = lower($3)`,
}

/** Grants one owner everything the other may see. */
export async function shareOrders(db: Db, from: string, into: string): Promise<void> {
  await db.run(share, [from, into])
}

/** Moves orders made with this e-mail address to another owner. */
export async function handOverOrders(db: Db, from: string, into: string, email: string): Promise<void> {
  await db.run(handOver, [from, into, email])
}

// An address alone opens nothing: anybody may have typed it. One of the guest's orders must be open to the customer already, and what
// nobody has paid yet stays with its maker, who could have somebody else pay it.
const claim = {
  name: 'orders.claim',
  text: `with guest as (
      select distinct o.owner from orders.access_grant g join orders.customer_order o on o.id = g.customer_order_id
      where g.owner = $1 and o.owner like 's:%' and o.company_id is null and o.paid_at is not null and lower(o.email) = lower($2)
    ), found as (
      select o.id, o.owner from orders.customer_order o join guest on guest.owner = o.owner
      where o.company_id is null and o.paid_at is not null and lower(o.email) = lower($2) for update of o
    ), seen as (
      insert into orders.access_grant (owner, customer_order_id) select owner, id from found on conflict do nothing
    )
    update orders.customer_order o set owner = $1, updated_at = now() from found where o.id = found.id returning found.owner`,
}

/** Moves to a customer what guests have bought with this confirmed address, if an order of theirs is open to the customer. Returns those guests. */
export async function claimOrders(db: Db, into: string, email: string): Promise<string[]> {
  const moved = await db.rows<{ owner: string }>(claim, [into, email])
  return [...new Set(moved.map(({ owner }) => owner))]
}

// Like claim, by the time at which the address was theirs.
const allOf = {
  name: 'orders.all-of',
  text: `select ${orderColumns} from orders.customer_order o
    where o.owner = $1 or o.owner like 's:%' and o.company_id is null and o.paid_at is not null and ${wasTheirs('o.email', 'o.placed_at', '$2')}
      and exists (select 1 from orders.access_grant g join orders.customer_order seen on seen.id = g.customer_order_id
        where g.owner = $1 and seen.owner = o.owner and seen.company_id is null and seen.paid_at is not null
          and lower(seen.email) = lower(o.email))
    order by o.created_at`,
}
const ofCompanies = {
  name: 'orders.of-companies',
  text: `select ${orderColumns} from orders.customer_order o where o.company_id = any($1::uuid[]) and o.paid_at is not null order by o.created_at`,
}
/** Stands where an erased buyer's address was. */
export const blankEmail = 'erased'
const blank = {
  name: 'orders.blank',
  text: `with gone as (delete from orders.access_token where customer_order_id = $1), closed as (
      delete from orders.access_grant where customer_order_id = $1)
    update orders.customer_order set email = '${blankEmail}', address = $2, billing_address = $2, sender_hash = null, updated_at = now() where id = $1`,
}

/**
 * All orders of a customer, in all markets, with those of guests that would become theirs with these addresses: for their data export,
 * never for a visitor.
 */
export function readOrdersOf(db: Db, owner: string, addresses: readonly OwnAddress[] = []): Promise<CustomerOrder[]> {
  return db.rows<CustomerOrder>(allOf, [owner, JSON.stringify(addresses)])
}

/** Every paid order of these companies, oldest first, whoever has placed it. */
export function readOrdersOfCompanies(db: Db, companyIds: readonly string[]): Promise<CustomerOrder[]> {
  return db.rows<CustomerOrder>(ofCompanies, [companyIds])
}

/** Anonymises the buyer of an order; goods, figures and states stay. Mail links no longer open it. */
export async function blankOrder(db: Db, id: string): Promise<void> {
  const nothing = { company: null, vatNumber: null, line2: null, instructions: null }
  const address = { firstName: '', lastName: '', line1: '', postcode: '', city: '', country: '', phone: '', ...nothing }
  await db.run(blank, [id, JSON.stringify(address)])
}
