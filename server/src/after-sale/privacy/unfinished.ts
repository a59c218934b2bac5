import { hash } from 'node:crypto'
import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { forgetEmailOfGuests } from '#accounts'
import { findDisputed } from '#disputes'
import { blankEmail, isUnderWay, originOf, takeInGuestOrders, type CustomerOrder } from '#orders'
import type { Db } from '#platform'
import { findOpenRefunds } from '#refunds'
import { findReturning } from '#returns'
import { erasureBegan } from './store.ts'

/** A seller's part of an order, with its page: on the site of the order, as no other site shows it. */
export interface OrderPart {
  customerOrderId: string
  sellerOrderId: string
  url: string
}

export interface OpenClaim {
  reason: 'return-under-way' | 'dispute-open' | 'refund-under-way'
  order: CustomerOrder
  waitsFor: OrderPart
}

/**
 * Open returns, disputes and refunds: a parcel on its way needs its label, and money that a card does not take needs an account that only
 * the customer can name.
 */
export async function openClaims(db: Db, orders: readonly CustomerOrder[]): Promise<OpenClaim[]> {
  const parts = orders.flatMap((order) => order.sellerOrders.map(({ id }) => ({ order, waitsFor: partOf(order, id) })))
  const ids = parts.map(({ waitsFor }) => waitsFor.sellerOrderId)
  const [returning, disputed] = [await findReturning(db, ids), await findDisputed(db, ids)]
  const refunding = await findOpenRefunds(
    db,
    orders.map(({ id }) => id),
  )
  return [
    ...parts.flatMap((part) => (returning.has(part.waitsFor.sellerOrderId) ? [{ reason: 'return-under-way' as const, ...part }] : [])),
    ...parts.flatMap((part) => (disputed.has(part.waitsFor.sellerOrderId) ? [{ reason: 'dispute-open' as const, ...part }] : [])),
    ...refunding.flatMap(({ customerOrderId, sellerOrderId }) =>
      orders
        .filter(({ id }) => id === customerOrderId)
        .map((order) => ({ reason: 'refund-under-way' as const, order, waitsFor: partOf(order, sellerOrderId) })),
    ),
  ]
}

function partOf(order: CustomerOrder, sellerOrderId: string): OrderPart {
  const ids = { customerOrderId: order.id, sellerOrderId }
  return { ...ids, url: originOf(order) + publicUrl('orderDetails', ids) }
}

/**
 * Orders that are erased when they are done: those of guests, and of another tab, are not seen when the account is closed.
 * @param areErased whether claims about orders whose buyer has been erased before count as well
 */
export async function unfinished(db: Db, orders: readonly CustomerOrder[], { areErased = false } = {}): Promise<Set<string>> {
  const named = orders.filter(({ email }) => areErased || email !== blankEmail)
  const found = new Set(orders.flatMap(({ id, state }) => (isUnderWay(state) ? [id] : [])))
  for (const { order } of await openClaims(db, named)) found.add(order.id)
  return found
}

/**
 * Makes guests' orders those of the customer who is erased, once they are done. Returns the others: until then nobody but the guest
 * may cancel them or name an account for their refunds, and a new account with the address claims them. An order placed since the
 * account was closed is no part of the erasure, also if its checkout was noted: whoever placed it may have typed somebody else's address.
 */
export async function takeInDone(db: Db, customerId: string, found: readonly CustomerOrder[]): Promise<NotedOrder[]> {
  const owner = `c:${customerId}`
  const closedAt = (await erasureBegan(db, customerId)) ?? new Date()
  const orders = found.filter(({ placedAt, replaces }) => placedAt === null || placedAt < closedAt || replaces !== null)
  const waiting = await unfinished(db, orders)
  const done = orders.map(({ id }) => id).filter((id) => !waiting.has(id))
  const moved = new Set(await takeInGuestOrders(db, owner, done))
  // A checkout that was reopened since has noted its address once more.
  const guests = orders.filter(({ id }) => moved.has(id))
  if (guests.length > 0) await forgetEmailOfGuests(db, guests)
  return orders.filter(({ id }) => !moved.has(id)).map(({ id, email }) => ({ id, emailHash: hashOf(email) }))
}

/** A guest's order that waits to be erased. A checkout that is reopened may be finished by somebody else: then the address differs. */
export interface NotedOrder {
  id: string
  /** SHA-256, so that no job has the address itself. */
  emailHash: string
}

/** Those of the noted orders, and of those that replace their goods, that still have the erased address. */
export function stillTheirs(orders: readonly CustomerOrder[], noted: readonly NotedOrder[]): CustomerOrder[] {
  const hashes = new Map(noted.map(({ id, emailHash }) => [id, emailHash]))
  const hashIn = ({ id, replaces }: CustomerOrder) => hashes.get(id) ?? hashes.get(replaces?.replace(/-\d+$/, '') ?? '')
  return orders.filter((order) => hashIn(order) === hashOf(order.email))
}

const hashOf = (email: string): string => hash('sha256', email.trim().toLowerCase(), 'base64url')
