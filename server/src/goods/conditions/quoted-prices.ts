import type { Market } from '@purlin/contract/markets.ts'
import type { QuotedPrice } from '#pricing'
import type { Db } from '#platform'

export interface AcceptedQuote {
  quoteId: string
  sellerId: number
  customerId: string
  companyId: string
  market: Market
  delivery: number
  validUntil: Date
  lines: readonly { offerId: string; quantity: number; price: number }[]
}

const write = {
  name: 'conditions.write-quoted-prices',
  text: `insert into conditions.quoted_price (quote_id, offer_id, seller_id, customer_id, market, quantity, price, delivery, valid_until, company_id)
    select $1, l.offer_id, $2, $3, $4, l.quantity, l.price, $5, $6, $10
    from unnest($7::bigint[], $8::integer[], $9::integer[]) as l (offer_id, quantity, price) on conflict do nothing`,
}
export async function writeQuotedPrices(db: Db, quote: AcceptedQuote): Promise<void> {
  const { quoteId, sellerId, customerId, companyId, market, delivery, validUntil, lines } = quote
  const columns = (['offerId', 'quantity', 'price'] as const).map((key) => lines.map((line) => line[key]))
  await db.run(write, [quoteId, sellerId, customerId, market, delivery, validUntil, ...columns, companyId])
}

const select = {
  name: 'conditions.quoted-prices',
  text: `select q.offer_id::text as "offerId", q.quote_id as "quoteId", q.quantity, q.price, q.delivery,
      (select count(*)::int from conditions.quoted_price l where l.quote_id = q.quote_id) as lines
    from conditions.quoted_price q
    where q.customer_id = $1 and q.market = $2 and q.valid_until > $3 and q.order_id is null and q.offer_id = any($4::bigint[])
      and (q.company_id = $5 or q.company_id is null)
    order by q.offer_id, q.quote_id desc`,
}
export function readQuotedPrices(
  db: Db,
  asked: { customerId: string; companyId: string; market: Market; now: Date; offerIds: readonly string[] },
): Promise<(QuotedPrice & { offerId: string })[]> {
  return db.rows(select, [asked.customerId, asked.market, asked.now, asked.offerIds, asked.companyId])
}

const holder = {
  name: 'conditions.holder-of-quoted-prices',
  text: 'select customer_id as id from conditions.quoted_price where quote_id = $1 and order_id is null limit 1',
}
/** The customer whose cart an accepted quote counts in; null if it is not accepted, or ordered. */
export async function readQuoteHolder(db: Db, quoteId: string): Promise<string | null> {
  return (await db.row<{ id: string }>(holder, [quoteId]))?.id ?? null
}

const handOver = {
  name: 'conditions.hand-over-quoted-prices',
  text: `update conditions.quoted_price set customer_id = $3 where quote_id = $1 and customer_id = $2 and order_id is null returning offer_id`,
}
/** The quote counts in another customer's cart from now on; false if it was not the first one's any more. */
export async function handOverQuotedPrices(db: Db, quoteId: string, from: string, to: string): Promise<boolean> {
  return (await db.rows(handOver, [quoteId, from, to])).length > 0
}

const claim = {
  name: 'conditions.claim-quoted-prices',
  text: `with claimed as (
      update conditions.quoted_price set order_id = $2 where quote_id = any($1::uuid[]) and order_id is null returning quote_id
    ) select count(distinct quote_id)::int as claimed from claimed`,
}
/** The order that takes these quotes, each of them once; false if another has taken one. The caller rolls back. */
export async function claimQuotedPrices(db: Db, quoteIds: readonly string[], orderId: string): Promise<boolean> {
  return (await db.row<{ claimed: number }>(claim, [quoteIds, orderId]))?.claimed === quoteIds.length
}

const release = {
  name: 'conditions.release-quoted-prices',
  text: 'update conditions.quoted_price set order_id = null where order_id = $1',
}
/** An order that is not sold after all gives its quotes back. */
export async function releaseQuotedPrices(db: Db, orderId: string): Promise<void> {
  await db.run(release, [orderId])
}

const ofOrder = {
  name: 'conditions.quotes-of-order',
  text: 'select distinct quote_id as id from conditions.quoted_price where order_id = $1',
}
export async function quotesOfOrder(db: Db, orderId: string): Promise<string[]> {
  return (await db.rows<{ id: string }>(ofOrder, [orderId])).map(({ id }) => id)
}
