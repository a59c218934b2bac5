import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { EventPayloads } from '#events'
import { complete, dequeue, dequeueOfVisitor, dropDeadLetters, enqueue, type Db, type JobScope, type Scope } from '#platform'
import type { Count } from './replace-counts.ts'

/** A visitor's last arrival in these days before an order counts for it. (decision 089) */
const touchDays = 30

/** An order that nobody has paid for so long is not waited for. */
const unpaidMs = 7 * 86_400_000

export const orderJob = 'insights.take-order'

/** What is known of an order when it is placed, and what was paid for it. */
export interface NotedOrder {
  orderId: string
  visitorId: string
  market: Market
  mode: Mode
  placedAt: string
  amount?: number
  /** Missing in notes of an earlier release. */
  paidAt?: string
}

/**
 * Notes whose order it is, with consent to statistics, in the transaction that places it. The note is a job, which waits until the order is
 * paid: neither placing an order nor its payment touches a table of insights, which may fail.
 */
export async function noteOrderVisitor({ db, now, market, mode, visitorId }: Scope, orderId: string): Promise<void> {
  if (!visitorId) return
  const payload: NotedOrder = { orderId, visitorId, market, mode, placedAt: now.toISOString() }
  await enqueue(db, { name: orderJob, key: orderId, payload, runAt: new Date(now.getTime() + unpaidMs) })
}

/** The time is that of the payment: a note may be taken up hours later. */
export async function noteOrderPaid(
  { db, now }: Pick<JobScope, 'db' | 'now'>,
  { customerOrderId: orderId, amount }: EventPayloads['order.paid'],
): Promise<void> {
  if (amount === undefined) return
  await complete(db, { name: orderJob, key: orderId, payload: { amount, paidAt: now.toISOString() } })
}

const take = {
  name: 'insights.take-order',
  text: `insert into insights.order_channel (customer_order_id, visitor_id, market, mode, placed_at, paid_at, amount)
    values ($1, $2, $3, $4, $5, $6, $7) on conflict (customer_order_id) do nothing`,
}

export async function takeOrder({ db, now }: Pick<JobScope, 'db' | 'now'>, order: NotedOrder): Promise<void> {
  const { orderId, visitorId, market, mode, placedAt, amount, paidAt = now } = order
  if (amount !== undefined) await db.run(take, [orderId, visitorId, market, mode, placedAt, paidAt, amount])
}

const keptDeadLetterMs = 14 * 86_400_000

/** A note that could not be taken up is kept for operators as long as finished work, and far shorter than the order's row. */
export async function deleteOldNotes({ db, now }: Pick<JobScope, 'db' | 'now'>): Promise<void> {
  await dropDeadLetters(db, orderJob, new Date(now.getTime() - keptDeadLetterMs))
}

// Browsers' clocks differ: an arrival may claim to be a little later than the order. The days choose the partitions.
const lastArrivals = {
  name: 'insights.last-arrivals',
  text: `select paid.customer_order_id, coalesce(touch.channel, 'direct') as channel, touch.category, touch.campaign
    from (select customer_order_id, visitor_id, placed_at from insights.order_channel
      where paid_at >= $1 and customer_order_id > $2 order by customer_order_id limit $3) as paid
    left join lateral (
      select data ->> 'trackingChannel' as channel, data ->> 'trackingCategory' as category, data ->> 'trackingCampaign' as campaign
      from insights.event e
      where e.visitor_id = paid.visitor_id and e.name = 'page_view' and e.data ? 'trackingChannel' and e.data ->> 'trackingChannel' <> 'internal'
        and e.day >= ((paid.placed_at - make_interval(days => ${touchDays})) at time zone 'UTC')::date
        and e.day <= ((paid.placed_at + interval '1 minute') at time zone 'UTC')::date
        and e.at > paid.placed_at - make_interval(days => ${touchDays}) and e.at < paid.placed_at + interval '1 minute'
      order by e.data ->> 'trackingChannel' = 'direct', e.at desc, e.id desc limit 1) as touch on true
    order by paid.customer_order_id`,
}
const attribute = {
  name: 'insights.attribute-orders',
  text: `update insights.order_channel o set channel = touch.channel, category = touch.category, campaign = touch.campaign
    from jsonb_to_recordset($1::jsonb) as touch (customer_order_id text, channel text, category text, campaign text)
    where o.customer_order_id = touch.customer_order_id and (o.channel, o.category, o.campaign) is distinct from (touch.channel, touch.category, touch.campaign)`,
}

const ordersAtOnce = 1_000

/** Gives the orders paid since then the channel of their buyers' last arrival that was not direct; again, if events came late. */
export const attributeOrders =
  (from: Date): Count =>
  async (reports) => {
    const pages: { customer_order_id: string }[][] = []
    for (let after = ''; ;) {
      const page = await reports.rows<{ customer_order_id: string }>(lastArrivals, [from, after, ordersAtOnce])
      pages.push(page)
      const last = page.at(-1)
      if (!last || page.length < ordersAtOnce) break
      after = last.customer_order_id
    }
    return async (db) => {
      for (const page of pages) await db.run(attribute, [JSON.stringify(page)])
    }
  }

const forget = { name: 'insights.forget-order-channels', text: 'delete from insights.order_channel where customer_order_id = any($1)' }

/** Of orders whose buyer is erased. */
export async function forgetOrderChannels(db: Db, orderIds: readonly string[]): Promise<void> {
  await Promise.all(orderIds.map((id) => dequeue(db, orderJob, id)))
  await db.run(forget, [orderIds])
}

const forgetVisitors = {
  name: 'insights.forget-visitor-orders',
  text: `delete from insights.order_channel where visitor_id = $1 and placed_at <= coalesce($2::timestamptz, 'infinity')`,
}

// Of the table, not of any row.
const lock = { name: 'insights.lock-order-channels', text: 'delete from insights.order_channel where false' }

/**
 * Orders placed until a withdrawal. Notes first: one that is being taken up is waited for, and its row is deleted. A payment waits for a note
 * that this holds, so it is taken at the end of a transaction, and only once the table is free.
 */
export async function forgetOrdersOfVisitor(db: Db, visitorId: string, until?: string): Promise<void> {
  await db.run(lock)
  await dequeueOfVisitor(db, { name: orderJob, visitorId, timeField: 'placedAt', until: until ?? null })
  await db.run(forgetVisitors, [visitorId, until ?? null])
}

const read = {
  name: 'insights.order-channels-of',
  text: `select customer_order_id as "orderId", channel, category, campaign from insights.order_channel
    where customer_order_id = any($1) and channel is not null order by 1`,
}

interface OrderChannel {
  orderId: string
  channel: string
  category: string | null
  campaign: string | null
}

export function readOrderChannels(db: Db, orderIds: readonly string[]): Promise<OrderChannel[]> {
  return db.rows<OrderChannel>(read, [orderIds])
}
