import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { EventPayloads } from '#events'
import type { Db, JobScope } from '#platform'

/** A visitor's last arrival in these days before an order counts for it. (decision 089) */
const touchDays = 30

const note = {
  name: 'insights.note-order-visitor',
  text: `insert into insights.order_channel (customer_order_id, visitor_id, market, mode) values ($1, $2, $3, $4)
    on conflict (customer_order_id) do update set visitor_id = excluded.visitor_id, placed_at = now()`,
}

interface PlacedBy {
  orderId: string
  /** Known with consent to statistics alone. */
  visitorId: string
  market: Market
  mode: Mode
}

/** Notes whose order it is, in the transaction that places it. */
export async function noteOrderVisitor(db: Db, { orderId, visitorId, market, mode }: PlacedBy): Promise<void> {
  await db.run(note, [orderId, visitorId, market, mode])
}

const pay = {
  name: 'insights.note-order-paid',
  text: 'update insights.order_channel set paid_at = now(), amount = $2 where customer_order_id = $1 and paid_at is null',
}

export async function noteOrderPaid({ db }: Pick<JobScope, 'db'>, { customerOrderId, amount }: EventPayloads['order.paid']): Promise<void> {
  if (amount !== undefined) await db.run(pay, [customerOrderId, amount])
}

// Browsers' clocks differ: an arrival may claim to be a little later than the order.
const attribute = {
  name: 'insights.attribute-orders',
  text: `update insights.order_channel o set channel = coalesce(touch.channel, 'direct'), category = touch.category, campaign = touch.campaign
    from insights.order_channel paid left join lateral (
      select data ->> 'trackingChannel' as channel, data ->> 'trackingCategory' as category, data ->> 'trackingCampaign' as campaign
      from insights.event e
      where e.visitor_id = paid.visitor_id and e.name = 'page_view' and e.data ? 'trackingChannel' and e.data ->> 'trackingChannel' <> 'internal'
        and e.at > paid.placed_at - make_interval(days => ${touchDays}) and e.at < paid.placed_at + interval '1 minute'
      order by e.data ->> 'trackingChannel' = 'direct', e.at desc, e.id desc limit 1) as touch on true
    where o.customer_order_id = paid.customer_order_id and paid.paid_at >= $1`,
}

/** Gives the orders paid since then the channel of their buyers' last arrival that was not direct; again, if events came late. */
export async function attributeOrders(db: Db, from: Date): Promise<void> {
  await db.run(attribute, [from])
}

const forget = { name: 'insights.forget-order-channels', text: 'delete from insights.order_channel where customer_order_id = any($1)' }

/** Of orders whose buyer is erased. */
export async function forgetOrderChannels(db: Db, orderIds: readonly string[]): Promise<void> {
  await db.run(forget, [orderIds])
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
