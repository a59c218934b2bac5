import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'

/** A seller order of which something has arrived, with the lines that have. */
export interface ReceivedOrder {
  sellerOrderId: string
  customerOrderId: string
  owner: string
  email: string
  market: Market
  mode: Mode
  origin: string | null
  sellerId: number
  sellerName: string
  firstName: string
  lastName: string
  placedAt: Date
  lines: { productId: string; title: string; url: string; imageUrl: string }[]
}

// A piece that arrived stays received, whatever becomes of it later: whoever returns a product may say why.
const arrived = `exists (select 1 from orders.line_move m where m.seller_order_id = l.seller_order_id and m.offer_id = l.offer_id and m.to_state = 'delivered')`
const received = `exists (select 1 from orders.line_move m where m.seller_order_id = s.id and m.to_state = 'delivered')`
const columns = `s.id as "sellerOrderId", o.id as "customerOrderId", o.owner, o.email, o.market, o.mode, o.origin, s.seller_id as "sellerId",
  s.seller ->> 'name' as "sellerName", coalesce(o.address ->> 'firstName', '') as "firstName",
  coalesce(o.address ->> 'lastName', '') as "lastName", coalesce(o.placed_at, o.created_at) as "placedAt",
  (select jsonb_agg(jsonb_build_object('productId', l.product_id::text, 'title', l.snapshot ->> 'title', 'url', l.snapshot ->> 'url',
    'imageUrl', l.snapshot ->> 'imageUrl') order by l.position) from orders.order_line l where l.seller_order_id = s.id and ${arrived}) as lines`

const ofOwner = {
  name: 'orders.received-by',
  text: `select ${columns}, count(*) over ()::int as total from orders.customer_order o join orders.seller_order s on s.customer_order_id = o.id
    where o.owner = $1 and o.market = $2 and ${received} order by o.placed_at desc, s.id limit $3 offset $4`,
}
const one = {
  name: 'orders.received',
  text: `select ${columns} from orders.seller_order s join orders.customer_order o on o.id = s.customer_order_id where s.id = $1 and ${received}`,
}
const product = {
  name: 'orders.has-received',
  text: `select 1 from orders.customer_order o join orders.order_line l on l.customer_order_id = o.id
    where o.owner = $1 and l.product_id = $2 and ${arrived} limit 1`,
}

/** The owner's received seller orders in a market, newest first, and their number. */
export async function readReceivedBy(
  db: Db,
  { owner, market }: { owner: string; market: Market },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ orders: ReceivedOrder[]; total: number }> {
  const rows = await db.rows<ReceivedOrder & { total: number }>(ofOwner, [owner, market, limit, offset])
  return { orders: rows, total: rows[0]?.total ?? 0 }
}

/** Any received seller order; the caller decides who may see it. */
export function readReceived(db: Db, sellerOrderId: string): Promise<ReceivedOrder | undefined> {
  return db.row<ReceivedOrder>(one, [sellerOrderId])
}

export async function hasReceived(db: Db, owner: string, productId: string): Promise<boolean> {
  return (await db.row(product, [owner, productId])) !== undefined
}
