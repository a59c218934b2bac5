import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import { customerOrderGroup, customerOrderState, sellerOrderState } from './line-move-store.ts'
import type { CustomerOrderState } from './order-states.ts'

export interface WhichOrders {
  owner: string
  /** Includes all orders of this company. */
  companyId: string | null
  /** The company the owner acts for: what they once did for another is not theirs. */
  memberOf: string | null
  market: Market
  /** Null for all states. */
  states: readonly CustomerOrderState[] | null
  /** In lower case; each has to be part of the number, of a product's name or of a seller's name. */
  words: readonly string[]
}

export interface OrderRow {
  id: string
  state: CustomerOrderState
  placedAt: Date
  total: number
  sellerOrderId: string
  sellerNames: string[]
  lineCount: number
  /** The order whose goods it replaces. */
  replaces: string | null
  lines: { title: string; imageUrl: string; quantity: number }[]
  /** Of the part that is promised last among those under way. */
  promise: string | null
}

const theirs =
  '(o.owner = $1 and (o.company_id is null or o.company_id = $4) or o.company_id = $2) and o.market = $3 and o.placed_at is not null'
/** Drafts are carts with an address, not orders. */
const everyOrder = `orders.customer_order o where ${theirs} and o.state <> 'draft'`
const inStates = `orders.customer_order o where ${theirs} and ${customerOrderGroup} = any($5::text[])`
const contains = (text: string, word: string) => `strpos(lower(${text}), ${word}) > 0`
const withWords = (which: string, words: string) => `${which} and not exists (select from unnest(${words}::text[]) as word
  where not ${contains('o.id', 'word')}
    and not exists (select from orders.order_line l where l.customer_order_id = o.id and ${contains("l.snapshot ->> 'title'", 'word')})
    and not exists (select from orders.seller_order s where s.customer_order_id = o.id and ${contains("s.seller ->> 'name'", 'word')}))`
// The orders are chosen and counted once, and the page is cut before anything is read about its orders: every page costs the same.
const listOf = (name: string, which: string, limit: string) => ({
  name,
  text: `with found as materialized (select o.id, o.placed_at from ${which}),
      page as (select f.id from found f order by f.placed_at desc, f.id ${limit})
    select (select count(*)::int from found) as found, o.id, ${customerOrderState} as state, o.placed_at as "placedAt", coalesce(o.total, 0) as total,
      regexp_replace(o.replaces, '-[0-9]+$', '') as replaces,
      coalesce((select min(s.id) from orders.seller_order s where s.customer_order_id = o.id), o.id) as "sellerOrderId",
      coalesce((select jsonb_agg(s.seller ->> 'name' order by s.seller_id) from orders.seller_order s where s.customer_order_id = o.id), '[]')
        as "sellerNames",
      (select count(*)::int from orders.order_line l where l.customer_order_id = o.id) as "lineCount",
      coalesce((select jsonb_agg(jsonb_build_object('title', l.snapshot ->> 'title', 'imageUrl', l.snapshot ->> 'imageUrl',
          'quantity', l.quantity) order by l.position)
        from orders.order_line l where l.customer_order_id = o.id and l.position < 4), '[]') as lines,
      (select option ->> 'promise' from orders.seller_order s, jsonb_array_elements(s.delivery_options) as option
        where s.customer_order_id = o.id and o.state not in ('awaiting-payment', 'cancelled') and option ->> 'kind' = s.delivery_kind
          and ${sellerOrderState} not in ('awaiting-payment', 'delivered', 'closed', 'cancelled', 'refused')
        order by (option ->> 'daysMax')::int desc limit 1) as promise
    from page join orders.customer_order o on o.id = page.id order by o.placed_at desc, o.id`,
})
const countOf = (name: string, which: string) => ({ name, text: `select count(*)::int as total from ${which}` })

const statements = {
  all: { list: listOf('orders.list-all', everyOrder, 'limit $5 offset $6'), count: countOf('orders.count-all', everyOrder) },
  inStates: { list: listOf('orders.list', inStates, 'limit $6 offset $7'), count: countOf('orders.count', inStates) },
  allFound: {
    list: listOf('orders.find-all', withWords(everyOrder, '$5'), 'limit $6 offset $7'),
    count: countOf('orders.count-all-found', withWords(everyOrder, '$5')),
  },
  inStatesFound: {
    list: listOf('orders.find', withWords(inStates, '$6'), 'limit $7 offset $8'),
    count: countOf('orders.count-found', withWords(inStates, '$6')),
  },
}

/** The statements of a choice of orders, and the values all of them begin with. */
function choose({ owner, companyId, memberOf, market, states, words }: WhichOrders) {
  const found = words.length > 0
  const chosen = states ? (found ? statements.inStatesFound : statements.inStates) : found ? statements.allFound : statements.all
  return { ...chosen, values: [owner, companyId, market, memberOf, ...(states ? [states] : []), ...(found ? [words] : [])] }
}

/** A page of placed orders, newest first, and the number of all of them. */
export async function readOrderRows(
  db: Db,
  which: WhichOrders,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: OrderRow[]; total: number }> {
  const { list, count, values } = choose(which)
  const found = await db.rows<OrderRow & { found: number }>(list, [...values, limit, offset])
  // A page beyond the last has no row to carry the number.
  const total = found[0]?.found ?? (offset === 0 ? 0 : ((await db.row<{ total: number }>(count, values))?.total ?? 0))
  return { rows: found.map(({ found: _found, ...row }) => row), total }
}
