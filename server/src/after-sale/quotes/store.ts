import type { Db } from '#platform'
import { moves, type Quote, type QuoteLine, type QuoteMove } from './quote.ts'

const columns = `q.id, q.number, q.seller_id as "sellerId", q.market, q.origin, q.company_id as "companyId", q.customer_id as "customerId", q.email,
  q.state, q.message, q.wanted_on::text as "wantedOn", q.created_at as "createdAt", q.answer_by as "answerBy", q.valid_until as "validUntil",
  q.delivery, q.note, q.order_id as "orderId",
  (select jsonb_agg(jsonb_build_object('offerId', l.offer_id::text, 'title', l.title, 'url', l.url, 'quantity', l.quantity, 'listPrice', l.list_price,
    'price', l.price, 'vatRateBp', l.vat_rate_bp) order by l.position) from quotes.line l where l.quote_id = q.id) as lines`

const insert = {
  name: 'quotes.insert',
  text: `with quote as (
      insert into quotes.quote (id, number, seller_id, market, origin, company_id, customer_id, email, state, message, wanted_on, answer_by)
      values ($1, $2, $3, $4, $5, $6, $7, $8, 'requested', $9, $10, $11) returning id
    )
    insert into quotes.line (quote_id, position, offer_id, title, url, quantity, list_price, vat_rate_bp)
    select quote.id, l.position, l.offer_id, l.title, l.url, l.quantity, l.list_price, l.rate from quote,
      unnest($12::bigint[], $13::text[], $14::text[], $15::integer[], $16::integer[], $17::integer[]) with ordinality
        as l (offer_id, title, url, quantity, list_price, rate, position)`,
}
type NewQuote = Omit<Quote, 'state' | 'createdAt' | 'validUntil' | 'delivery' | 'note' | 'orderId' | 'lines'> & {
  lines: readonly Omit<QuoteLine, 'price'>[]
}

export async function writeQuote(db: Db, quote: NewQuote): Promise<void> {
  const { lines } = quote
  await db.run(insert, [
    quote.id,
    quote.number,
    quote.sellerId,
    quote.market,
    quote.origin,
    quote.companyId,
    quote.customerId,
    quote.email,
    quote.message,
    quote.wantedOn,
    quote.answerBy,
    lines.map(({ offerId }) => offerId),
    lines.map(({ title }) => title),
    lines.map(({ url }) => url),
    lines.map(({ quantity }) => quantity),
    lines.map(({ listPrice }) => listPrice),
    lines.map(({ vatRateBp }) => vatRateBp),
  ])
}

const selectOne = { name: 'quotes.one', text: `select ${columns} from quotes.quote q where q.id = $1` }
export function readQuote(db: Db, id: string): Promise<Quote | undefined> {
  return db.row<Quote>(selectOne, [id])
}

const ofCompany = {
  name: 'quotes.of-company',
  text: `select ${columns} from quotes.quote q where q.company_id = $1 and q.market = $2 and ($3::text is null or q.state = $3)
    order by q.created_at desc, q.id desc limit $4 offset $5`,
}
const countOfCompany = {
  name: 'quotes.count-of-company',
  text: 'select count(*)::int as count from quotes.quote where company_id = $1 and market = $2 and ($3::text is null or state = $3)',
}
interface QuotesAsked {
  companyId: string
  market: string
  /** Null: in any. */
  state: Quote['state'] | null
}
/** Quotes of a company, newest first. */
export function readQuotesOf(
  db: Db,
  { companyId, market, state }: QuotesAsked,
  { limit, offset }: { limit: number; offset: number },
): Promise<Quote[]> {
  return db.rows<Quote>(ofCompany, [companyId, market, state, limit, offset])
}
export async function countQuotesOf(db: Db, { companyId, market, state }: QuotesAsked): Promise<number> {
  return (await db.row<{ count: number }>(countOfCompany, [companyId, market, state]))?.count ?? 0
}

const ofSeller = {
  name: 'quotes.of-seller',
  text: `select ${columns} from quotes.quote q where q.seller_id = $1 and ($2::uuid is null or q.id < $2) order by q.id desc limit $3`,
}
export function readSellerQuotes(db: Db, sellerId: number, after: string | null, limit: number): Promise<Quote[]> {
  return db.rows<Quote>(ofSeller, [sellerId, after, limit])
}

const ofCustomer = {
  name: 'quotes.of-customer',
  text: `select ${columns} from quotes.quote q where q.customer_id = $1 order by q.created_at desc, q.id desc`,
}
/** All quotes that a customer has requested, in every market. */
export function readQuotesBy(db: Db, customerId: string): Promise<Quote[]> {
  return db.rows<Quote>(ofCustomer, [customerId])
}

// Stands where an erased buyer's address was: such a quote is blank already.
const blank = {
  name: 'quotes.blank',
  text: `update quotes.quote set email = 'erased', message = '', note = '' where customer_id = $1 and email <> 'erased' returning id`,
}
/** Number, lines and prices stay, as the order, the seller and the company have them. Returns the ids of the quotes. */
export async function blankQuotes(db: Db, customerId: string): Promise<string[]> {
  return (await db.rows<{ id: string }>(blank, [customerId])).map(({ id }) => id)
}

const move = {
  name: 'quotes.move',
  text: `update quotes.quote set state = $3, answered_at = case when $3 = 'answered' then now() else answered_at end,
      delivery = coalesce($4, delivery), valid_until = coalesce($5, valid_until), note = coalesce($6, note), order_id = coalesce($7, order_id)
    where id = $1 and state = any($2::text[]) returning id`,
}
interface Moved {
  delivery?: number
  validUntil?: Date
  note?: string
  orderId?: string
}
/** Makes a move; false if the quote's state does not allow it: of two at once one wins. */
export async function writeMove(
  db: Db,
  id: string,
  name: QuoteMove,
  { delivery, validUntil, note, orderId }: Moved = {},
): Promise<boolean> {
  const { from, to } = moves[name]
  return (await db.rows(move, [id, from, to, delivery ?? null, validUntil ?? null, note ?? null, orderId ?? null])).length > 0
}

const setPrices = {
  name: 'quotes.set-prices',
  text: `update quotes.line l set price = p.price from unnest($2::bigint[], $3::integer[]) as p (offer_id, price)
    where l.quote_id = $1 and l.offer_id = p.offer_id`,
}
export async function writePrices(db: Db, id: string, lines: readonly { offerId: string; price: number }[]): Promise<void> {
  await db.run(setPrices, [id, lines.map(({ offerId }) => offerId), lines.map(({ price }) => price)])
}

const due = {
  name: 'quotes.due',
  text: `select id from quotes.quote where (state = 'requested' and answer_by <= $1) or (state in ('answered', 'accepted') and valid_until <= $1)
    order by id limit 500`,
}
export async function readDue(db: Db, now: Date): Promise<string[]> {
  return (await db.rows<{ id: string }>(due, [now])).map(({ id }) => id)
}
