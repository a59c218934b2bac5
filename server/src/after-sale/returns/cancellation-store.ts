import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { Cancellation, CancellationState, CancelledLine } from './cancellation.ts'

const columns = `c.id::text, c.customer_order_id as "customerOrderId", c.seller_order_id as "sellerOrderId", c.seller_id as "sellerId",
  c.reason, c.state, c.lines, c.note, c.requested_at as "requestedAt", c.decided_at as "decidedAt"`

const insert = {
  name: 'returns.insert-cancellation',
  text: `insert into returns.cancellation (id, customer_order_id, seller_order_id, seller_id, market, reason, state, lines)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
}

export async function insertCancellation(
  db: Db,
  cancellation: Pick<Cancellation, 'id' | 'customerOrderId' | 'sellerOrderId' | 'sellerId' | 'reason' | 'state' | 'lines'> & {
    market: Market
  },
): Promise<void> {
  const { id, customerOrderId, sellerOrderId, sellerId, market, reason, state, lines } = cancellation
  await db.run(insert, [id, customerOrderId, sellerOrderId, sellerId, market, reason, state, JSON.stringify(lines)])
}

const ofPart = {
  name: 'returns.cancellations-of-part',
  text: `select ${columns} from returns.cancellation c where c.seller_order_id = $1 order by c.requested_at`,
}
const byId = {
  name: 'returns.cancellation',
  text: `select ${columns} from returns.cancellation c where c.id = $1 and c.market = $2 for update`,
}
const openOfSeller = {
  name: 'returns.open-cancellations',
  text: `select ${columns} from returns.cancellation c where c.seller_id = $1 and c.market = $2 and c.state = 'requested' order by c.requested_at limit 100`,
}

export function readCancellations(db: Db, sellerOrderId: string): Promise<Cancellation[]> {
  return db.rows(ofPart, [sellerOrderId])
}

/** Locks the request until the transaction ends. */
export function lockCancellation(db: Db, id: string, market: Market): Promise<Cancellation | undefined> {
  return db.row(byId, [id, market])
}

export function readOpenCancellations(db: Db, sellerId: number, market: Market): Promise<Cancellation[]> {
  return db.rows(openOfSeller, [sellerId, market])
}

const about = {
  name: 'returns.cancellations-about',
  text: `select c.seller_order_id as "orderId", c.reason, c.state, c.lines, c.note, c.requested_at as "requestedAt", c.decided_at as "decidedAt"
    from returns.cancellation c where c.seller_order_id = any($1) order by c.requested_at`,
}
/** The cancellations of these seller orders: for their buyer's data export. */
export function readCancellationsAbout(db: Db, sellerOrderIds: readonly string[]): Promise<unknown[]> {
  return db.rows<object>(about, [sellerOrderIds])
}

const decide = {
  name: 'returns.decide-cancellation',
  text: `update returns.cancellation set state = $2, note = $3, decided_at = now() where id = $1 and state = 'requested'`,
}

export async function writeDecision(db: Db, id: string, state: CancellationState, note: string | null): Promise<boolean> {
  return (await db.run(decide, [id, state, note])) === 1
}

/** Pieces of open requests, by line. */
export function openLines(cancellations: readonly Cancellation[]): CancelledLine[] {
  return cancellations.flatMap(({ state, lines }) => (state === 'requested' ? lines : []))
}
