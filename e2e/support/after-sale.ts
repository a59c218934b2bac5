import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Market } from '@purlin/contract/markets.ts'
import { addKey, caller } from '@purlin/server/after-sale/integrations/testing.ts'
import { demoSecrets } from '@purlin/server/foundation/platform/environment.ts'
import { addStaff, signIn } from '@purlin/server/people/accounts/testing.ts'
import { onItsOwn, queryData } from './ask.ts'
import { patient } from './patience.ts'
import { runSchedule, withDatabase } from './professionals.ts'
import { operate, type Shop } from './shop.ts'

/** The moves of sellers, the carrier and the operator after a purchase, each through its own API. */

export interface Sale {
  orderId: string
  sellerOrderId: string
  sellerId: number
  market: Market
  /** A call of the seller's program. */
  call: ReturnType<typeof caller>
}

export interface SaleLine {
  offerId: string
  title: string
  quantity: number
  /** Minor units, with VAT. */
  total: { amount: number }
}

interface ShownSale {
  total: { amount: number }
  lines: SaleLine[]
  parcels: { id: string; trackingNumber: string | null }[]
}

/** An order of one seller, with a key for that seller's program. */
export async function saleOf(shop: Shop, market: Market, orderId: string): Promise<Sale> {
  const [sale, ...others] = await salesOf(shop, market, orderId)
  assert.ok(sale && others.length === 0, `${orderId} is an order of one seller, not of ${others.length + 1}`)
  return sale
}

/** The parts of an order, one a seller. */
export function salesOf(shop: Shop, market: Market, orderId: string): Promise<Sale[]> {
  return withDatabase(shop.databaseUrl(), async (pool) => {
    const { rows } = await pool.query<{ id: string; seller: number }>(
      'select id, seller_id as seller from orders.seller_order where customer_order_id = $1',
      [orderId],
    )
    const sales: Sale[] = []
    for (const { id, seller } of rows) {
      const program = caller(shop.origin, (await addKey(pool.db, seller)).key)
      const call: Sale['call'] = (method, path, body) => program(method, path, body, onItsOwn.headers)
      sales.push({ orderId, sellerOrderId: id, sellerId: seller, market, call })
    }
    return sales
  })
}

async function answerOf<Body>({ call }: Sale, method: 'GET' | 'POST', path: string, body?: object): Promise<Body> {
  const answer = await call(method, path, body)
  assert.ok(answer.status < 300, `${method} ${path} answers ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body as Body
}

export function readSale(sale: Sale): Promise<ShownSale> {
  return answerOf(sale, 'GET', `/orders/${sale.sellerOrderId}`)
}

async function until<Found>(what: string, look: () => Promise<Found | false>): Promise<Found> {
  for (const end = Date.now() + patient(40_000); Date.now() < end; await sleep(250)) {
    const found = await look()
    if (found !== false) return found
  }
  return assert.fail(what)
}

/** The seller accepts everything. The receipt may be shown before the money has arrived. */
export async function accept({ call, sellerOrderId }: Sale): Promise<void> {
  await until(`${sellerOrderId} is paid`, async () => (await call('POST', `/orders/${sellerOrderId}/accept`, {})).status === 200)
}

const piecesOf = (lines: readonly SaleLine[]) => lines.map(({ offerId, quantity }) => ({ offerId, quantity }))

/** Hands lines, or everything that was accepted, to a carrier of the seller's own. Returns the parcel. */
export async function ship(sale: Sale, lines?: readonly SaleLine[]): Promise<string> {
  const carrier = { name: 'Own van', trackingNumber: `VAN${randomUUID().slice(0, 8)}` }
  const parcel = { carrier, ...(lines && { lines: piecesOf(lines) }) }
  return (await answerOf<{ parcelId: string }>(sale, 'POST', `/orders/${sale.sellerOrderId}/parcels`, parcel)).parcelId
}

export async function arrive(sale: Sale, parcelId: string): Promise<void> {
  await answerOf(sale, 'POST', `/parcels/${parcelId}/events`, { kind: 'delivered' })
}

/** Accepted, shipped and delivered as a whole. */
export async function deliver(sale: Sale): Promise<void> {
  await accept(sale)
  await arrive(sale, await ship(sale))
}

/** A query of the seller's office. */
async function inOffice<Data>(shop: Shop, sale: Sale, query: string, variables: object): Promise<Data> {
  const token = await withDatabase(shop.databaseUrl(), async ({ db }) => {
    const { id } = await addStaff(db, { sellerId: sale.sellerId, roles: [{ role: 'seller', market: null }] })
    return (await signIn(db, { staffId: id, family: 'staff' })).token
  })
  const { port } = new URL(shop.origin)
  return queryData<Data>(`http://localhost:${port}`, {
    method: 'POST',
    path: '/graphql',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      cookie: `__Host-purlin-staff=${token}`,
      host: `${sale.market}.localhost:${port}`,
    },
    body: JSON.stringify({ query, variables }),
  })
}

/** The seller answers the buyer's message. */
export async function answerBuyer(shop: Shop, sale: Sale, text: string): Promise<void> {
  const mutation =
    'mutation ($id: ID!, $input: WriteMessageInput!) { answerConversation(orderId: $id, input: $input) { refusal { reason } } }'
  const variables = { id: sale.sellerOrderId, input: { text } }
  const { answerConversation } = await inOffice<{ answerConversation: { refusal: { reason: string } | null } }>(
    shop,
    sale,
    mutation,
    variables,
  )
  assert.equal(answerConversation.refusal, null)
}

/** Gives lines to the shop's carrier, as the seller's office does. Returns the tracking number. */
export async function shipByPost(shop: Shop, sale: Sale, lines: readonly SaleLine[]): Promise<string> {
  const { shipSale } = await inOffice<{ shipSale: { outcome: { parcelId: string } | null; refusal: { reason: string } | null } }>(
    shop,
    sale,
    `mutation ($id: ID!, $lines: [PiecesInput!], $key: String!) {
      shipSale(sellerOrderId: $id, lines: $lines, idempotencyKey: $key) { outcome { parcelId } refusal { reason } } }`,
    { id: sale.sellerOrderId, lines: piecesOf(lines), key: randomUUID() },
  )
  const { outcome, refusal } = shipSale
  assert.ok(outcome, refusal?.reason ?? 'no parcel')
  return until('the carrier has booked the parcel', async () => {
    const { parcels } = await readSale(sale)
    return parcels.find(({ id }) => id === outcome.parcelId)?.trackingNumber ?? false
  })
}

/** A call of the carrier's API, in whose sandbox clients move their parcels and drivers. */
async function carrierOf<Body>(shop: Shop, method: 'GET' | 'POST', path: string, body?: object): Promise<Body> {
  const answer = await fetch(`http://127.0.0.1:${Number(new URL(shop.origin).port) + 4}${path}`, {
    method,
    headers: {
      ...onItsOwn.headers,
      authorization: `Basic ${Buffer.from(`${demoSecrets.CARRIER_API_KEY}:`).toString('base64')}`,
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  assert.ok(answer.ok, `the carrier answers ${method} ${path} with ${answer.status}`)
  return (await answer.json()) as Body
}

/** The carrier loses a parcel, and says so by a signed message. */
export async function loseParcel(shop: Shop, trackingNumber: string): Promise<void> {
  await carrierOf(shop, 'POST', `/sandbox/trackers/${trackingNumber}`, { status: 'failure', status_detail: 'lost' })
}

/** The carrier collects a parcel and delivers it. */
export async function deliverByPost(shop: Shop, trackingNumber: string): Promise<void> {
  for (const [status, detail] of [
    ['in_transit', 'received_at_origin_facility'],
    ['delivered', 'delivered'],
  ])
    await carrierOf(shop, 'POST', `/sandbox/trackers/${trackingNumber}`, { status, status_detail: detail })
}

export interface Pickup {
  status: 'scheduled' | 'canceled' | 'collected'
  min_datetime: string
  max_datetime: string
}

/** The driver's appointment for a return: the first that was booked, the second after a change, and so on. */
export function pickupOf(shop: Shop, returnId: string, round: number): Promise<Pickup> {
  return carrierOf(shop, 'GET', `/v2/pickups/${returnId}-${round}`)
}

export async function collect(shop: Shop, returnId: string, round: number): Promise<void> {
  await carrierOf(shop, 'POST', `/sandbox/pickups/${returnId}-${round}`, { status: 'collected' })
}

export interface SellerDispute {
  id: string
  number: string
}

/** The dispute about a sale, as the seller's program lists it. */
export async function disputeOf(sale: Sale): Promise<SellerDispute> {
  const { market, sellerOrderId } = sale
  const { disputes } = await answerOf<{ disputes: (SellerDispute & { orderId: string })[] }>(sale, 'GET', `/disputes?market=${market}`)
  return disputes.find(({ orderId }) => orderId === sellerOrderId) ?? assert.fail(`no dispute about ${sellerOrderId}`)
}

export async function answerDispute(sale: Sale, { id }: SellerDispute, action: 'agree' | 'contest'): Promise<void> {
  await answerOf(sale, 'POST', `/disputes/${id}/moves`, { market: sale.market, action, note: 'We have asked our carrier.' })
}

/** The operator decides how much goes back, in minor units. */
export async function decideDispute(shop: Shop, { id }: SellerDispute, amount: number): Promise<void> {
  await operate(shop.origin, 'POST', `disputes/${id}/decision`, { amount, note: 'We have looked at what both of you sent us.' })
}

/** The days in which a decision can be appealed are over. */
export async function passAppeal(shop: Shop, { id }: SellerDispute): Promise<void> {
  await withDatabase(shop.databaseUrl(), async (pool) => {
    await pool.query('update disputes.dispute set due_at = now() where id = $1', [id])
    await runSchedule(pool, 'disputes.pass-deadlines')
  })
}

export interface SellerReturn {
  id: string
  number: string
  wish: string
  /** Links that open for a while. */
  photos: string[]
}

/** The unfinished return of a sale, as the seller's program lists it. */
export async function returnOf(sale: Sale): Promise<SellerReturn> {
  const { market, sellerOrderId } = sale
  const { returns } = await answerOf<{ returns: (SellerReturn & { orderId: string })[] }>(sale, 'GET', `/returns?market=${market}`)
  return returns.find(({ orderId }) => orderId === sellerOrderId) ?? assert.fail(`no return of ${sellerOrderId}`)
}

type Deed = 'accept' | 'receive' | 'inspect' | 'refund' | 'exchange'

/** Steps of a return by its seller, who finds the goods as the buyer has described them. */
export async function handleReturn(sale: Sale, { id }: SellerReturn, ...deeds: Deed[]): Promise<void> {
  for (const deed of deeds) {
    const finding = deed === 'inspect' ? { finding: 'as-described' } : {}
    await answerOf(sale, 'POST', `/returns/${id}/steps`, { market: sale.market, do: deed, ...finding })
  }
}
