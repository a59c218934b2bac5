import { randomUUID } from 'node:crypto'
import { demoPast, type Past, type PastOrder, type PastState } from '@purlin/demo/past.ts'
import { demoPeople } from '@purlin/demo/people.ts'
import { markets } from '@purlin/contract/markets.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import { connectModules } from '@purlin/server/edges/connect-modules.ts'
import { enqueue, log, newId, type Pool, type Scope, type Settings, asCommand } from '@purlin/server/foundation/platform/index.ts'
import { keepAddress } from '@purlin/server/people/addresses/index.ts'
import { addToCart } from '@purlin/server/selling/cart/index.ts'
import { choosePaymentMethod, endHold, giveBack, placeExpressOrder } from '@purlin/server/selling/checkout/index.ts'
import { keepPastParcel } from '@purlin/server/after-sale/fulfilment/index.ts'
import { issueInvoice } from '@purlin/server/after-sale/invoices/index.ts'
import { moveLines, readOrder } from '@purlin/server/selling/orders/index.ts'
import { applyProviderState, lockPaymentOfOrder, type ProviderPayment } from '@purlin/server/selling/payments/index.ts'
import { makeDemoCases, type FollowedOrder } from './make-demo-cases.ts'
import { makeDemoCompany } from './make-demo-company.ts'
import { makeDemoPayout } from './make-demo-payout.ts'
import { makeDemoSubscription } from './make-demo-subscription.ts'
import { makeDemoStatements } from './make-demo-statements.ts'
import { makeDemoTalk } from './make-demo-talk.ts'
import {
  dateOrder,
  forgetEvents,
  hasOrders,
  keepCards,
  keepCoupon,
  keepWishes,
  overdue,
  sentParcels,
  sentParts,
  someOffers,
  type PastOffer,
} from './demo-past-rows.ts'

/**
 * Gives the demo people a history. Orders are placed by the regular commands, so that stock, ledger and states are
 * consistent; then they are backdated, and their events dropped, so that nobody gets a mail. A person with orders is left alone.
 */
export async function makeDemoPast(pool: Pool, settings: Pick<Settings, 'hosts'>): Promise<void> {
  connectModules()
  const isNew = !(await hasOrders(pool.db, `c:${principalOf(boss).id}`))
  const followed: FollowedOrder[] = []
  for (const past of demoPast) {
    const principal = principalOf(past.email)
    if (await hasOrders(pool.db, `c:${principal.id}`)) continue
    followed.push(...(await live(pool, past, principal.id, actAs(pool, settings, past, principal))))
  }
  const company = demoPast.find(({ email }) => email === buyerOfBoss)
  if (isNew && company) {
    const actsAs = (email: string) => actAs(pool, settings, company, principalOf(email))
    const offers = (await someOffers(pool.db, company)).slice(-2)
    await makeDemoCompany(pool, { admin: actsAs(boss), buyer: actsAs(buyerOfBoss), offers })
  }
  const owners = demoPast.map(({ email }) => `c:${principalOf(email).id}`)
  await invoicePast(pool, owners)
  await makeDemoCases(pool, followed)
  if (isNew) await makeDemoPayout(pool, settings, owners)
  if (isNew && company) {
    const admin = actAs(pool, settings, company, principalOf(boss))
    await makeDemoStatements(pool, admin)
    await makeDemoSubscription(pool, admin)
  }
  // Tiers and other segments follow from it at once, not only after the first night.
  await enqueue(pool.db, { name: 'segments.compute', key: 'demo-past', payload: {} })
}

/** Of the company with building sites, budgets and a request for approval. */
const boss = 'priya@hartley.example'
const buyerOfBoss = 'leah@hartley.example'

function actAs(pool: Pool, { hosts }: Pick<Settings, 'hosts'>, { market, mode }: Pick<Past, 'market' | 'mode'>, principal: Principal): Act {
  const { origin } = hosts.site(market, mode)
  const site = { market, mode, origin, principal, prefersVat: false, session: null, requestId: 'demo' }
  return (operation) => asCommand(pool, ({ db, emit }) => operation({ ...site, now: new Date(), db, emit, log }))
}

type Act = <Value>(operation: (scope: Scope) => Promise<Value>) => Promise<Value>

function principalOf(email: string): Extract<Principal, { kind: 'customer' | 'member' }> {
  const person = demoPeople.find((each) => each.email === email)
  if (!person || (person.kind !== 'consumer' && person.kind !== 'member')) throw new Error(`${email} buys nothing in the demo`)
  const account = { id: person.sub, email, name: `${person.givenName} ${person.familyName}`, market: person.market }
  if (person.kind === 'consumer') return { kind: 'customer', ...account }
  const { id, country } = person.company
  return { kind: 'member', ...account, role: person.role, company: { id, country } }
}

/** Returns the orders that something followed. */
async function live(pool: Pool, past: Past, customerId: string, act: Act): Promise<FollowedOrder[]> {
  const person = demoPeople.find(({ email }) => email === past.email)
  const { country } = markets[past.market]
  for (const [index, { line1, line2 = null, company = null, ...address }] of past.addresses.entries()) {
    const name = { firstName: person?.givenName ?? '', lastName: person?.familyName ?? '' }
    const input = { ...name, ...address, line1, line2, company, instructions: null, country }
    await act((scope) => keepAddress(scope, null, { ...input, defaults: index === 0 ? ['delivery', 'billing'] : [] }))
  }
  await keepCards(pool.db, customerId, past.cards)
  if (past.coupon) await keepCoupon(pool.db, customerId, past.market, past.coupon)
  const offers = await someOffers(pool.db, past)
  await keepWishes(pool.db, `c:${customerId}`, past.market, offers.slice(0, past.wishes))
  // Each order has different products, besides the usual one; those that cannot be sold to this person are skipped.
  const left = [...offers]
  const usual = past.orders.some((order) => order.usual) ? left.shift() : undefined
  const followed: FollowedOrder[] = []
  for (const order of past.orders) {
    const orderId = await buy(pool, past, order, { usual, left }, act)
    if (orderId !== undefined && (order.followedBy ?? order.isReviewed)) followed.push({ orderId, market: past.market, order, act })
  }
  await makeDemoTalk(pool, { market: past.market, customerId }, act)
  return followed
}

interface Assortment {
  usual: PastOffer | undefined
  left: PastOffer[]
}

/** Returns the order's id. */
async function buy(pool: Pool, past: Past, order: PastOrder, { usual, left }: Assortment, act: Act): Promise<string | undefined> {
  if (usual && order.usual) await act((scope) => addToCart(scope, { offerId: usual.id, quantity: order.usual ?? 1 }))
  for (const quantity of order.quantities)
    for (let offer = left.shift(); offer; offer = left.shift()) {
      const { id: offerId } = offer
      if ((await act((scope) => addToCart(scope, { offerId, quantity }))).ok) break
    }
  const placed = await act((scope) => placeExpressOrder(scope, randomUUID()))
  // A small shop may have nothing left of an article: one order less in the past.
  if (!placed.ok) {
    log.warn({ email: past.email, reason: placed.reason }, 'an order of the past could not be made')
    return undefined
  }
  const { orderId } = placed
  if (order.payBy === 'invoice') {
    const chosen = await act((scope) =>
      choosePaymentMethod(scope, { customerOrderId: orderId, idempotencyKey: randomUUID(), method: 'invoice' }),
    )
    if (!chosen.ok) log.warn({ email: past.email, reason: chosen.reason }, 'an order of the past could not be paid by invoice')
  }
  if (order.state === 'cancelled') {
    await overdue(pool.db, orderId)
    await act((scope) => endHold(scope, orderId))
    await act((scope) => pay(scope, orderId, 'voided'))
  } else {
    for (const status of ['authorised', 'captured'] as const) await act((scope) => pay(scope, orderId, status))
    if (order.state === 'refunded') await act((scope) => refuseAndRefund(scope, orderId))
    else if (order.state !== 'paid') await deliver(orderId, order.state, act)
  }
  await dateOrder(pool.db, orderId, order.daysAgo)
  for (const parcel of await sentParcels(pool.db, orderId)) await keepPastParcel(pool.db, parcel)
  await forgetEvents(pool.db, orderId)
  return orderId
}

const steps = [
  { from: 'pending', to: 'accepted', actor: 'seller', reason: 'accepted', afterDays: 0.3 },
  { from: 'accepted', to: 'shipped', actor: 'seller', reason: 'handed-over', afterDays: 1.2 },
  { from: 'shipped', to: 'delivered', actor: 'carrier', reason: 'delivered', afterDays: 3.4 },
  { from: 'delivered', to: 'closed', actor: 'system', reason: 'return-period-over', afterDays: 33 },
] as const

/** The sellers accept and ship the order, and it arrives; days are counted from the payment. */
async function deliver(orderId: string, until: PastState, act: Act): Promise<void> {
  const parcels = new Map<string, string>()
  const parcelOf = (sellerOrderId: string) => {
    const id = parcels.get(sellerOrderId) ?? newId()
    parcels.set(sellerOrderId, id)
    return id
  }
  for (const { from, to, actor, reason, afterDays } of steps) {
    const order = await act((scope) => readOrder(scope.db, orderId))
    for (const { id: sellerOrderId, lines } of order?.sellerOrders ?? []) {
      const moves = lines.map(({ offerId, quantity }) => ({ offerId, quantity, from, to }))
      await act((scope) => {
        const now = new Date(scope.now.getTime() + afterDays * 86_400_000)
        const parcelId = to === 'accepted' ? null : parcelOf(sellerOrderId)
        return moveLines({ ...scope, now }, { sellerOrderId, moves, actor, reason, parcelId })
      })
    }
    if (to === until) return
  }
}

/** The invoices of everything that was sent, by the regular operation, in the order of the days it was sent. */
async function invoicePast(pool: Pool, owners: readonly string[]): Promise<void> {
  for (const { customerOrderId, sellerOrderId, at } of await sentParts(pool.db, owners)) {
    await asCommand(pool, ({ db }) => issueInvoice({ db, now: at, emit: () => undefined }, { customerOrderId, sellerOrderId }))
  }
}

/** The provider's report about the order's payment. */
async function pay(scope: Scope, orderId: string, status: 'authorised' | 'captured' | 'voided' | 'refunded'): Promise<void> {
  const payment = await lockPaymentOfOrder(scope.db, orderId)
  if (!payment) throw new Error(`Order ${orderId} has no payment`)
  const isCard = payment.method === 'card'
  const captured = status === 'captured' || status === 'refunded' ? payment.amount : 0
  const seen: ProviderPayment = {
    reference: payment.providerReference ?? (isCard ? `pi_past_${newId().replaceAll('-', '')}` : `co-past-${payment.id}`),
    paymentId: payment.id,
    status,
    amount: payment.amount,
    currency: payment.currency,
    captured,
    refunded: status === 'refunded' ? captured : 0,
    failureCode: null,
    card: status === 'voided' || !isCard ? null : { brand: 'visa', last4: '0002' },
    frameUrl: null,
  }
  await applyProviderState(scope, payment.id, seen, 'the demo')
}

/** The sellers could not deliver: their pieces are refused, and the money is refunded. */
async function refuseAndRefund(scope: Scope, orderId: string): Promise<void> {
  const order = await readOrder(scope.db, orderId)
  if (!order) return
  for (const { id: sellerOrderId, lines } of order.sellerOrders) {
    const moves = lines.map(({ offerId, quantity }) => ({ offerId, quantity, from: 'pending' as const, to: 'refused' as const }))
    await moveLines(scope, { sellerOrderId, moves, actor: 'seller', reason: 'out-of-stock', parcelId: null })
  }
  await pay(scope, orderId, 'refunded')
  await giveBack(scope, order)
}
