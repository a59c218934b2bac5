import { createHash } from 'node:crypto'
import { needsPhone } from '@purlin/contract/delivery-phone.ts'
import { markets } from '@purlin/contract/markets.ts'
import { pastCaseWords } from '@purlin/demo/past-cases.ts'
import { demoPeople } from '@purlin/demo/people.ts'
import { composeReview } from '@purlin/demo/reviews.ts'
import { connectModules } from '@purlin/server/edges/connect-modules.ts'
import { acceptSale, readParcels, recordNews, reportParcel, shipLines, stateOfParcel } from '@purlin/server/after-sale/fulfilment/index.ts'
import { startRun } from '@purlin/server/after-sale/payouts/index.ts'
import { handleReturn, requestReturn } from '@purlin/server/after-sale/returns/index.ts'
import { connectAutomaticBuyers, reviewAsBuyer } from '@purlin/server/after-sale/reviews/index.ts'
import { asCommand, log, type Db, type JobScope, type Pool, type Scope, type Settings } from '@purlin/server/foundation/platform/index.ts'
import { quantityStates, readOrder, sumQuantities, type CustomerOrder, type SellerOrder } from '@purlin/server/selling/orders/index.ts'

/** Events of one day of the demo shop, counted in pieces of seller orders, not of goods. */
export interface Day {
  accepted: number
  shipped: number
  delivered: number
  /** Neither delivered nor lost: the van did not come today. */
  late: number
  returnsRequested: number
  returnsSettled: number
  reviews: number
  payoutRuns: number
}

const van = 'Day Van'

/**
 * A day of the demo shop, by the commands of its people: parcels that left before arrive, sellers accept and ship what waits,
 * buyers of the demo send something back and review what has come, sellers settle returns, and payouts run. Played again, it
 * goes on where it stopped.
 */
export async function playDay(pool: Pool, settings: Pick<Settings, 'hosts'>): Promise<Day> {
  connectModules()
  const people = new Set(demoPeople.map(({ sub }) => sub))
  connectAutomaticBuyers({ isTheirs: (id) => people.has(id), reviewAfterMs: 0, compose: composeReview })
  const day: Day = { accepted: 0, shipped: 0, delivered: 0, late: 0, returnsRequested: 0, returnsSettled: 0, reviews: 0, payoutRuns: 0 }
  for (const { orderId, sellerOrderId } of await openParts(pool.db)) {
    const order = await readOrder(pool.db, orderId)
    const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
    if (!order || !part) continue
    const asSeller = (scope: JobScope) => sellerOf(settings, scope, order, part)
    await deliver(pool, order, part, asSeller, day)
    const accepted = await command(pool, (scope) => acceptSale(asSeller(scope), { sellerOrderId, lines: null }))
    if (accepted.ok) day.accepted += 1
    const states = sumQuantities(await quantityStates(pool.db, [sellerOrderId]))
    if (!states.accepted) continue
    const key = `day-${sellerOrderId}-${states.accepted}-${states.shipped ?? 0}-${states.delivered ?? 0}`
    const trackingNumber = `DAY${shortHash(key).toUpperCase()}`
    const shipped = await command(pool, (scope) =>
      shipLines(asSeller(scope), { sellerOrderId, lines: null, carrier: { name: van, trackingNumber }, idempotencyKey: key }),
    )
    if (shipped.ok) day.shipped += 1
  }
  for (const { orderId, sellerOrderId } of await arrivedParts(pool.db, [...people]))
    await follow(pool, settings, { orderId, sellerOrderId }, day)
  for (const { id, orderId, sellerOrderId } of await openReturns(pool.db)) {
    const order = await readOrder(pool.db, orderId)
    const part = order?.sellerOrders.find((each) => each.id === sellerOrderId)
    if (order && part && (await settle(pool, id, (scope) => sellerOf(settings, scope, order, part)))) day.returnsSettled += 1
  }
  const today = new Date().toISOString()
  for (const currency of ['EUR', 'GBP'] as const) {
    const run = await command(pool, (scope) =>
      startRun(scope, { key: `operator:${currency}:demo-day:${today}`, currency, cause: 'operator' }),
    )
    if (run) day.payoutRuns += 1
  }
  return day
}

function command<Value>(pool: Pool, operation: (scope: JobScope) => Promise<Value>): Promise<Value> {
  return asCommand(pool, ({ db, emit }) => operation({ db, emit, now: new Date(), requestId: 'demo-day', log }))
}

/** Parcels of earlier days arrive, one in twelve tomorrow. */
async function deliver(pool: Pool, order: CustomerOrder, part: SellerOrder, asSeller: (scope: JobScope) => Scope, day: Day): Promise<void> {
  for (const parcel of await readParcels(pool.db, order.id)) {
    if (parcel.sellerOrderId !== part.id || parcel.trackingNumber === null) continue
    if (['delivered', 'lost', 'returned'].includes(stateOfParcel(parcel.events))) continue
    const { id: parcelId, trackingNumber } = parcel
    if (shareOf(`${parcelId}:${new Date().toISOString().slice(0, 10)}`) < 1 / 12) {
      day.late += 1
      continue
    }
    if (parcel.carrier === van)
      await command(pool, (scope) => reportParcel(asSeller(scope), { parcelId, kind: 'delivered', place: order.address.city }))
    else {
      const event = { sourceId: 'demo-day', kind: 'delivered' as const, at: new Date(), place: order.address.city }
      await command(pool, (scope) => recordNews(scope, { trackingNumber, expectedBy: null, heldUntil: null, events: [event] }))
    }
    day.delivered += 1
  }
}

/** Whether the buyer of these goods is one of the half that write a review. */
export const writesReview = (sellerOrderId: string): boolean => shareOf(`review:${sellerOrderId}`) < 0.5

/** Buyers’ reactions to delivered goods: one in five returns a piece, one in two writes a review. */
async function follow(
  pool: Pool,
  settings: Pick<Settings, 'hosts'>,
  { orderId, sellerOrderId }: { orderId: string; sellerOrderId: string },
  day: Day,
): Promise<void> {
  const order = await readOrder(pool.db, orderId)
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  const [line] = part?.lines ?? []
  const customerId = order?.owner.replace(/^c:/, '')
  if (!order || !part || !line || !customerId) return
  const { market, mode, email, address } = order
  const name = `${address.firstName} ${address.lastName}`.trim()
  const principal = { kind: 'customer' as const, id: customerId, email, name, market }
  const asBuyer = (scope: JobScope): Scope => ({ ...scope, ...siteOf(settings, order), principal })
  if (mode === 'b2c' && shareOf(`return:${sellerOrderId}`) < 0.2) {
    const wish: Parameters<typeof requestReturn>[1] = {
      customerOrderId: orderId,
      sellerOrderId,
      lines: [{ offerId: line.offerId, quantity: 1 }],
      reason: 'changed-mind',
      wish: 'refund',
      method: needsPhone(part.deliveryKind) ? 'home-collection' : 'label',
      description: pastCaseWords[markets[market].language].withdrawal,
      photos: [],
    }
    if ((await command(pool, (scope) => requestReturn(asBuyer(scope), wish))).ok) day.returnsRequested += 1
  }
  if (writesReview(sellerOrderId) && (await command(pool, (scope) => reviewAsBuyer(scope, { sellerOrderId })))) day.reviews += 1
}

/** The seller has the goods back, finds them as described, and refunds. */
async function settle(pool: Pool, id: string, asSeller: (scope: JobScope) => Scope): Promise<boolean> {
  const nothing = { finding: '', amount: null, note: null }
  const deeds = [
    { ...nothing, do: 'accept' as const },
    { ...nothing, do: 'receive' as const },
    { ...nothing, do: 'inspect' as const, finding: 'as-described' },
    { ...nothing, do: 'refund' as const },
  ]
  let isSettled = false
  // Steps that were taken before are refused.
  for (const deed of deeds) isSettled = (await command(pool, (scope) => handleReturn(asSeller(scope), id, deed))).ok
  return isSettled
}

function siteOf({ hosts }: Pick<Settings, 'hosts'>, { market, mode }: Pick<CustomerOrder, 'market' | 'mode'>) {
  return { market, mode, origin: hosts.site(market, mode).origin, prefersVat: false, session: null, requestId: 'demo-day', log }
}

function sellerOf(settings: Pick<Settings, 'hosts'>, scope: JobScope, order: CustomerOrder, { sellerId }: SellerOrder): Scope {
  const roles = [{ role: 'seller' as const, market: null }]
  const principal = { kind: 'sellerMember' as const, id: `demo-${sellerId}`, email: '', name: '', sellerId, roles }
  return { ...scope, ...siteOf(settings, order), principal }
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)
/** A number from 0 to 1 that depends on the text alone. */
const shareOf = (text: string): number => Number.parseInt(shortHash(text), 16) / 16 ** 12

interface PartRow {
  orderId: string
  sellerOrderId: string
}
const open = {
  name: 'demo.open-parts',
  text: `select s.customer_order_id as "orderId", s.id as "sellerOrderId" from orders.seller_order s join orders.customer_order o on o.id = s.customer_order_id
    where o.state = 'paid' and s.outcome is distinct from 'arrived' and s.outcome is distinct from 'dropped' order by o.placed_at limit 1000`,
}
const openParts = (db: Db): Promise<PartRow[]> => db.rows<PartRow>(open, [])

const arrived = {
  name: 'demo.arrived-parts',
  text: `select s.customer_order_id as "orderId", s.id as "sellerOrderId" from orders.seller_order s join orders.customer_order o on o.id = s.customer_order_id
    where o.owner = any($1) and o.company_id is null and s.outcome = 'arrived' and o.placed_at > now() - interval '14 days'
      and not exists (select from returns.request r where r.seller_order_id = s.id) limit 200`,
}
const arrivedParts = (db: Db, customerIds: readonly string[]): Promise<PartRow[]> =>
  db.rows<PartRow>(arrived, [customerIds.map((id) => `c:${id}`)])

const returning = {
  name: 'demo.open-returns',
  text: `select r.id::text, r.customer_order_id as "orderId", r.seller_order_id as "sellerOrderId" from returns.request r
    where r.state not in ('refused', 'refunded', 'exchanged', 'lapsed', 'closed') and r.basis = 'withdrawal' and r.requested_at < now() - interval '1 minute' limit 200`,
}
const openReturns = (db: Db): Promise<(PartRow & { id: string })[]> => db.rows<PartRow & { id: string }>(returning, [])
