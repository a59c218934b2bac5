import { testCards } from '@purlin/services/index.ts'
import type { Past, PastCard } from '@purlin/demo/past.ts'
import type { Market } from '@purlin/contract/markets.ts'
import type { PastParcel } from '@purlin/server/after-sale/fulfilment/index.ts'
import { newId, type Db } from '@purlin/server/foundation/platform/index.ts'

/** Rows of the past for which no command exists: no command acts in another month. */

const statement = (name: string, text: string) => ({ name: `demo.${name}`, text })
const dayMs = 86_400_000

const orders = statement('has-orders', 'select 1 from orders.customer_order where owner = $1 limit 1')
export async function hasOrders(db: Db, owner: string): Promise<boolean> {
  return (await db.row(orders, [owner])) !== undefined
}

export interface PastOffer {
  id: string
  productId: string
}
// From all over the catalogue, and well in stock.
const offers = statement(
  'offers',
  `select id::text, product_id::text as "productId" from catalogue.offer
    where market = $1 and status = 'active' and stock >= 40 and bulk is null and not is_sample and coalesce(max_quantity, 99) >= 10
      and price between 1500 and 40000
    order by seller_id = $3 desc, md5(id::text || $2) limit 40`,
)
export function someOffers(db: Db, { market, email, sellerId = 0 }: Past): Promise<PastOffer[]> {
  return db.rows<PastOffer>(offers, [market, email, sellerId])
}

const card = statement(
  'card',
  `insert into payments.saved_card (id, customer_id, provider, reference, brand, last4, expiry_year, expiry_month, is_default, saved_at)
    values ($1, $2, 'embedded', $3, $4, $5, $6, $7, $8, now() - interval '180 days') on conflict do nothing`,
)
const customer = statement(
  'provider-customer',
  `insert into payments.provider_customer (customer_id, provider, reference) values ($1, 'embedded', $2) on conflict do nothing`,
)
/** Saved cards; the embedded provider gets them when it starts (demo-payments.ts). */
export async function keepCards(db: Db, customerId: string, cards: readonly PastCard[]): Promise<void> {
  if (cards.length > 0) await db.run(customer, [customerId, `cus_past_${customerId.slice(-12)}`])
  for (const { brand, last4, expiresIn, isDefault = false } of cards) {
    if (!testCards.some(({ number }) => number.endsWith(last4))) throw new Error(`No test card ends in ${last4}`)
    const now = new Date()
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + expiresIn, 1))
    const reference = `card_past_${customerId.slice(-12)}_${last4}`
    await db.run(card, [newId(), customerId, reference, brand, last4, month.getUTCFullYear(), month.getUTCMonth() + 1, isDefault])
  }
}

const coupon = statement(
  'coupon',
  `insert into cart.coupon (code, market, kind, value, min_amount, starts_on, ends_on, customer_id)
    values ($1, $2, 'percent', 12, 2500, current_date - 10, current_date + 45, $3) on conflict do nothing`,
)
export async function keepCoupon(db: Db, customerId: string, market: Market, code: string): Promise<void> {
  await db.run(coupon, [code, market, customerId])
}

const late = statement('overdue', `update orders.customer_order set holds_until = now() - interval '1 minute' where id = $1`)
export async function overdue(db: Db, orderId: string): Promise<void> {
  await db.run(late, [orderId])
}

const wishes = statement(
  'wishes',
  `with list as (
      insert into wishlists.list (id, owner, market, is_default, created_at) values ($1, $2, $3, true, now() - interval '70 days') on conflict do nothing returning id
    )
    insert into wishlists.item (list_id, product_id, known_price, added_at)
    select list.id, o.product_id, o.price, now() - interval '70 days' + n * interval '9 days'
    from list, unnest($4::bigint[]) with ordinality as w (offer, n) join catalogue.offer o on o.id = w.offer on conflict do nothing`,
)
/** A wishlist, written directly: its command needs the search index, which is built later. */
export async function keepWishes(db: Db, owner: string, market: Market, chosen: readonly PastOffer[]): Promise<void> {
  if (chosen.length > 0) await db.run(wishes, [newId(), owner, market, chosen.map(({ id }) => id)])
}

const dated = [
  statement(
    'date-order',
    `update orders.customer_order set created_at = created_at - $2 * interval '1 ms', placed_at = placed_at - $2 * interval '1 ms',
      paid_at = paid_at - $2 * interval '1 ms', holds_until = holds_until - $2 * interval '1 ms', updated_at = updated_at - $2 * interval '1 ms' where id = $1`,
  ),
  statement('date-steps', `update orders.transition set at = at - $2 * interval '1 ms' where customer_order_id = $1`),
  statement(
    'date-moves',
    `update orders.line_move m set at = m.at - $2 * interval '1 ms', deadline = m.deadline - $2 * interval '1 ms'
      from orders.seller_order s where s.id = m.seller_order_id and s.customer_order_id = $1`,
  ),
  statement('date-stock', `update catalogue.stock_movement set at = at - $2 * interval '1 ms' where reference = $1`),
  statement(
    'date-payment-steps',
    `update payments.transition set at = at - $2 * interval '1 ms' where payment_id in (select id from payments.payment where customer_order_id = $1)`,
  ),
  statement(
    'date-payment',
    `update payments.payment set created_at = created_at - $2 * interval '1 ms', updated_at = updated_at - $2 * interval '1 ms' where customer_order_id = $1`,
  ),
  statement(
    'date-spend',
    `update purchasing.spend set placed_at = placed_at - $2 * interval '1 ms', month = date_trunc('month', placed_at - $2 * interval '1 ms')::date
      where customer_order_id = $1`,
  ),
]
/** Dates an order back. The ledger keeps the day of its bookings: it is append-only. */
export async function dateOrder(db: Db, orderId: string, daysAgo: number): Promise<void> {
  // Not all at the same time of day.
  const back = daysAgo * dayMs + (orderId.charCodeAt(3) % 11) * 3_600_000
  for (const each of dated) await db.run(each, [orderId, back])
}

const sent = statement(
  'sent-parts',
  `select o.id as "customerOrderId", s.id as "sellerOrderId", max(m.at) as at
    from orders.customer_order o join orders.seller_order s on s.customer_order_id = o.id
    join orders.line_move m on m.seller_order_id = s.id and m.to_state = 'shipped'
    where o.owner = any($1) group by 1, 2 order by at, s.id`,
)
export interface SentPart {
  customerOrderId: string
  sellerOrderId: string
  at: Date
}
/** Parts of the past orders of these people that have left their sellers, oldest first. */
export function sentParts(db: Db, owners: readonly string[]): Promise<SentPart[]> {
  return db.rows<SentPart>(sent, [owners])
}

const parcels = statement(
  'sent-parcels',
  `select m.parcel_id as id, s.id as "sellerOrderId", o.id as "customerOrderId", s.seller_id as "sellerId", o.market, o.address ->> 'city' as city,
      min(m.at) filter (where m.to_state = 'shipped') as "shippedAt", min(m.at) filter (where m.to_state = 'delivered') as "deliveredAt"
    from orders.customer_order o join orders.seller_order s on s.customer_order_id = o.id
    join orders.line_move m on m.seller_order_id = s.id
    where o.id = $1 and m.parcel_id is not null group by m.parcel_id, s.id, o.id`,
)
/** The parcels named by the moves of an order of the past. */
export function sentParcels(db: Db, orderId: string): Promise<PastParcel[]> {
  return db.rows<PastParcel>(parcels, [orderId])
}

const events = statement('forget-events', `delete from platform.outbox where aggregate = 'order:' || $1 and done_at is null`)
const stockEvents = statement(
  'forget-stock-events',
  `delete from platform.outbox where type in ('stock.changed', 'cart.line-added') and done_at is null`,
)
const jobs = statement(
  'forget-jobs',
  `delete from platform.job where name in ('payments.refresh-cards', 'payments.prefer-card') and key like '0199c0de-%'`,
)
/** Orders of the past send no notifications; the search index is built afterwards. */
export async function forgetEvents(db: Db, orderId: string): Promise<void> {
  await db.run(events, [orderId])
  await db.run(stockEvents)
  await db.run(jobs)
}

const messageEvents = statement('forget-message-events', `delete from platform.outbox where type = 'message.written' and done_at is null`)
const messageMails = statement('forget-message-mails', `delete from mail.mail where key like 'message:%'`)
/** Nor do its conversations: nobody answers them again, and nobody is told. */
export async function forgetTalk(db: Db): Promise<void> {
  await db.run(messageEvents)
  await db.run(messageMails)
}

const datedCases = [
  statement(
    'date-return',
    `update returns.request set updated_at = $2::timestamptz + (updated_at - requested_at) + interval '5 days', requested_at = $2 where customer_order_id = $1`,
  ),
  statement(
    'date-return-steps',
    `update returns.step s set at = $2::timestamptz + n * interval '1 day' from
      (select s.id, row_number() over (partition by s.request_id order by s.at, s.id) as n from returns.step s
        join returns.request r on r.id = s.request_id where r.customer_order_id = $1) numbered where numbered.id = s.id`,
  ),
  statement(
    'date-refund',
    `update refunds.refund set requested_at = $2::timestamptz + interval '5 days', done_at = case when done_at is not null then $2::timestamptz + interval '6 days' end
      where customer_order_id = $1`,
  ),
  statement(
    'date-refund-steps',
    `update payments.transition set at = $2::timestamptz + interval '6 days' where to_state in ('part-refunded', 'refunded')
      and payment_id in (select id from payments.payment where customer_order_id = $1)`,
  ),
  statement(
    'date-settled-conversation',
    `update messages.conversation set buyer_read = last_seq, seller_read = last_seq, answer_due_at = null, remind_at = null
      where customer_order_id = $1 and last_at < now() - interval '5 days'`,
  ),
]
/** Dates the returns and refunds of an order back to the day on which its case began. */
export async function dateCase(db: Db, orderId: string, at: Date): Promise<void> {
  for (const each of datedCases) await db.run(each, [orderId, ...(each.text.includes('$2') ? [at] : [])])
}

const review = statement('date-review', 'update reviews.review set written_at = $2 where id = $1')
export async function dateReview(db: Db, id: string, at: Date): Promise<void> {
  await db.run(review, [id, at])
}

const caseEvents = statement(
  'forget-case-events',
  `delete from platform.outbox where done_at is null
    and type in ('message.written', 'return.changed', 'refund.requested', 'dispute.changed', 'product.changed')`,
)
const budgets = statement(
  'return-to-budgets',
  `update purchasing.spend s set returned = least(s.amount, r.amount)
    from (select customer_order_id, sum(amount)::integer as amount from refunds.refund group by 1) r where r.customer_order_id = s.customer_order_id`,
)
const caseMails = statement(
  'forget-case-mails',
  `delete from mail.mail where key like any (array['return:%', 'collection:%', 'dispute:%', 'refund:%', 'message:%', 'payout-account:%'])`,
)
const caseJobs = statement('forget-case-jobs', `delete from platform.job where name = 'returns.book-label'`)
/** Nobody is told of what happened in the past, and no label is booked for what has come back; refunds count in the budgets. */
export async function forgetCases(db: Db): Promise<void> {
  await db.run(budgets)
  await db.run(caseEvents)
  await db.run(caseMails)
  await db.run(caseJobs)
}
