import type { Currency, Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { ChargebackState } from './provider.ts'

/** Money of a payment that the buyer's bank takes back. Minor units. */
export interface Chargeback {
  id: string
  provider: string
  /** The provider's id of the dispute. */
  reference: string
  paymentId: string
  customerOrderId: string
  market: Market
  state: ChargebackState
  amount: number
  currency: Currency
  reason: string
  openedAt: Date
  closedAt: Date | null
}

const write = {
  name: 'payments.write-chargeback',
  text: `insert into payments.chargeback as c (id, provider, reference, payment_id, customer_order_id, market, state, amount, currency, reason, opened_at, closed_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, case when $7 <> 'open' then $11::timestamptz end)
    on conflict (provider, reference) do update set state = excluded.state, amount = excluded.amount, closed_at = excluded.closed_at
      where c.state = 'open' and excluded.state <> 'open'
    returning id::text`,
}
/** Its id; undefined when nothing is new: it is known, and not decided now. */
export async function writeChargeback(
  db: Db,
  chargeback: Omit<Chargeback, 'openedAt' | 'closedAt'>,
  now: Date,
): Promise<string | undefined> {
  const { id, provider, reference, paymentId, customerOrderId, market, state, amount, currency, reason } = chargeback
  const values = [id, provider, reference, paymentId, customerOrderId, market, state, amount, currency, reason, now]
  return (await db.row<{ id: string }>(write, values))?.id
}

const columns = `c.id::text, c.provider, c.reference, c.payment_id::text as "paymentId", c.customer_order_id as "customerOrderId", c.market,
  c.state, c.amount, c.currency, c.reason, c.opened_at as "openedAt", c.closed_at as "closedAt"`

const byId = { name: 'payments.chargeback', text: `select ${columns} from payments.chargeback c where c.id = $1` }
export function readChargeback(db: Db, id: string): Promise<Chargeback | undefined> {
  return db.row<Chargeback>(byId, [id])
}

const undecided = {
  name: 'payments.open-chargebacks',
  text: `select c.id::text from payments.chargeback c where c.provider = $1 and c.state = 'open' order by c.opened_at limit $2`,
}
/** Ids of chargebacks about which the bank has not decided, as far as we know, oldest first. */
export async function readOpenChargebacks(db: Db, provider: string, limit: number): Promise<string[]> {
  return (await db.rows<{ id: string }>(undecided, [provider, limit])).map(({ id }) => id)
}

const latest = {
  name: 'payments.latest-chargebacks',
  text: `select ${columns} from payments.chargeback c where c.market = $1 order by c.opened_at desc, c.id desc limit $2`,
}
/** The latest chargebacks in a market, newest first. */
export function readChargebacks(db: Db, market: Market, limit: number): Promise<Chargeback[]> {
  return db.rows<Chargeback>(latest, [market, limit])
}

const open = {
  name: 'payments.orders-charged-back',
  text: `select distinct customer_order_id as id from payments.chargeback where customer_order_id = any($1) and state = 'open'`,
}
/** Those of these customer orders about which a bank has not decided yet. */
export async function findChargedBack(db: Db, customerOrderIds: readonly string[]): Promise<Set<string>> {
  return new Set((await db.rows<{ id: string }>(open, [customerOrderIds])).map(({ id }) => id))
}
