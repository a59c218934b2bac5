import { needsPhone } from '@purlin/contract/delivery-phone.ts'
import { markets, type Market } from '@purlin/contract/markets.ts'
import type { RefusalReason, Refused, Result } from '@purlin/contract/refusals.ts'
import { companyOf, customerIdOf, firstOfNumber, inOwnName, lockCompany, ownerOf } from '#accounts'
import {
  belongsTo,
  cartLimits,
  customerKey,
  hasChanges,
  priceStoredCart,
  cartOwnerIn,
  readCartLocked,
  reasonAgainstChoices,
  redeemCoupon,
  withChoices,
  writeChoices,
  type DeliveryChoice,
  type PricedCart,
} from '#cart'
import { inLanguage, offersForSale, reserveStock } from '#catalogue'
import { claimQuotedPrices } from '#conditions'
import { holdCredit } from '#credit'
import {
  approvalOfOrder,
  endUnneeded,
  holdBudget,
  type OverBudget,
  isApprovedForCard,
  lockRequestWithGoods,
  requestWithGoods,
  type NamesOfOrder,
} from '#purchasing'
import { noteOrderVisitor } from '#insights'
import { adoptDraft, findOrder, hasBought, isOrderId, maxHeld, mayNotHold, writePlaced, type CustomerOrder } from '#orders'
import { slotId } from '#pickup'
import { byCard, paymentRequest, type Payment, type PayBy } from '#payments'
import { freeReturnDays } from '#subscriptions'
import { senderHashOf, takeQuota, withIdempotency, type Scope } from '#platform'
import { findChosenPoints, pointsOf, reasonAgainstPoints, type ChosenPoints } from './chosen-points.ts'
import { findChosenSlots, reasonAgainstSlots, slotsOf, type ChosenSlots } from './chosen-slots.ts'
import { nameOrder, type NamesRefused } from './name-order.ts'
import { reopen } from './reopen-order.ts'
import { sellerOrdersOf } from './seller-orders.ts'
import { emitStockChanged } from './emit-stock-changed.ts'
import { waitForStock } from './wait-for-stock.ts'

/** How long stock is held for a payment. Source: docs/decisions/004. */
export const holdSeconds = 30 * 60

export interface PlaceOrder {
  customerOrderId: string
  idempotencyKey: string
  /** Delivery kind per seller; if omitted, as chosen before. An order awaiting payment may be placed again with other choices. */
  choices?: readonly DeliveryChoice[] | null
  /** A company's own names for the order, saved with it. */
  names?: NamesOfOrder | null
}

/**
 * The command that sells, in one transaction: prices, stock and coupon are checked again, stock is reserved, the seller
 * orders are written, and payment is requested. The same key returns the same order; with another order it is refused.
 * Source: design rules 1–4, R-130, A17, A20, A30.
 */
export async function placeOrder(
  scope: Scope,
  { customerOrderId, idempotencyKey, choices, names = null }: PlaceOrder,
): Promise<Result<{ orderId: string }> | NamesRefused> {
  const owner = ownerOf(scope)
  if (owner === null || !isOrderId(customerOrderId)) return { ok: false, reason: 'unknown-order' }
  if (idempotencyKey === '') return { ok: false, reason: 'idempotency-key-missing' }
  const [points, slots] = choices
    ? await Promise.all([findChosenPoints(scope, choices), findChosenSlots(scope, customerOrderId, choices)])
    : []
  const body = { command: 'place-order', customerOrderId, ...(choices && { choices }), ...(names && { names }) }
  const keyed = { owner, key: idempotencyKey, body, success: { ok: true, orderId: customerOrderId } }
  const sold = withIdempotency<Result<{ orderId: string }> | NamesRefused>(scope, keyed, async () => {
    const held = await found
    // Counted once per key: a client that repeats a request does not use up its quota.
    if (!(await mayPlace(scope))) return { ok: false, reason: 'too-many-attempts' }
    const isSoldAgain = !(held[1] && choices && isSoldAs(held[1], choices))
    const named = await nameOrder(scope, customerOrderId, names, { isSoldAgain })
    if (!named.ok) return named
    const as = { choices: choices ?? null, ...(points && { points }), ...(slots && { slots }) }
    const outcome = await sellWithin(scope, customerOrderId, as, held)
    return 'overBudgetOf' in outcome ? refusalOf(outcome, named.beyond) : outcome
  })
  // Read after the claim, in the same round trip; the cart before the order, as every command locks them.
  const found = findToSell(scope, owner, customerOrderId)
  const [outcome, [{ cart }]] = await Promise.all([sold, found])
  if (!outcome.ok && outcome.reason === 'sold-out') {
    const ids = cart.lines.map(({ offerId }) => offerId)
    await waitForStock(scope, [...(await offersForSale(scope.db.reads, ids)).values()])
  }
  return outcome
}

/** Of an order beyond a limit: the refusal for its names, if one of them leads to that limit and did so before the delivery was changed. */
function refusalOf({ overBudgetOf, ...refused }: OverBudget, beyond: NamesRefused | null): Refused | NamesRefused {
  if (refused.reason !== 'approval-needed' || !beyond || !('fields' in beyond.names)) return refused
  const fields = beyond.names.fields.filter((field) => overBudgetOf.includes(field))
  return fields.length > 0 ? { ...beyond, names: { ...beyond.names, fields } } : refused
}

/** Each placed order holds stock and requests a payment: one sender may place only so many. (V-11) */
export async function mayPlace(scope: Scope): Promise<boolean> {
  const { ok } = await takeQuota('order', { session: scope.session?.id, customer: customerIdOf(scope), address: scope.remoteAddress })
  return ok
}

/** The same within a command that has claimed its own key. */
export async function sellOrder(
  scope: Scope,
  owner: string,
  { customerOrderId, choices }: { customerOrderId: string; choices: readonly DeliveryChoice[] },
): Promise<Result<{ orderId: string }>> {
  return sell(scope, customerOrderId, { choices }, await findToSell(scope, owner, customerOrderId))
}

/** Cart and order of a sale, locked in the order of every command: the cart first. */
export async function findToSell(scope: Scope, owner: string, customerOrderId: string): Promise<Found> {
  const requestId = await lockRequestOf(scope, customerOrderId)
  return Promise.all([
    readCartLocked(scope.db, requestId === null ? cartOwnerIn(owner, scope.mode) : proposalOwner(requestId), scope.market),
    findOrder(scope, 'order.place', customerOrderId),
  ])
}

/**
 * The request for approval that has the order's goods. A decision about it, and changes of roles and limits of its approver, come before
 * the sale or after it.
 */
async function lockRequestOf(scope: Scope, customerOrderId: string): Promise<string | null> {
  const companyId = companyOf(scope)
  if (companyId === null || (await requestWithGoods(scope.db, customerOrderId, companyId)) === null) return null
  await lockCompany(scope.db, companyId)
  return lockRequestWithGoods(scope.db, customerOrderId, companyId)
}

/** The owner of a cart that waits for an approval. */
export function proposalOwner(approvalId: string): string {
  return `a:${approvalId}`
}

export type Found = [held: Awaited<ReturnType<typeof readCartLocked>>, order: CustomerOrder | undefined]

interface SellAs {
  /** Null: as chosen before. */
  choices: readonly DeliveryChoice[] | null
  /** If given, an order that awaits payment is placed again to be paid in this way; otherwise it is paid by card. */
  method?: Payment['method']
  /** If omitted, those the order was placed with. */
  points?: ChosenPoints
  /** If omitted, those the order was placed with, and none is required. */
  slots?: ChosenSlots
}

/** The caller has claimed an idempotency key and counted the attempt. */
export async function sell(viewer: Scope, orderId: string, as: SellAs, found: Found): Promise<Result<{ orderId: string }>> {
  const outcome = await sellWithin(viewer, orderId, as, found)
  return 'overBudgetOf' in outcome ? refusalOf(outcome, null) : outcome
}

/** The same; of an order beyond limits with the names that lead to them. */
async function sellWithin(
  viewer: Scope,
  orderId: string,
  { choices, method, points, slots }: SellAs,
  [{ cart, offers }, found]: Found,
): Promise<Result<{ orderId: string }> | OverBudget> {
  const order = found && (await adoptDraft(viewer, found))
  if (!order) return { ok: false, reason: 'unknown-order' }
  // Prices, budgets, quotes and credit are those of the order's company; one that was placed without a company has none of them.
  const scope = order.companyId === null ? inOwnName(viewer) : viewer
  const isPlaced = order.state === 'awaiting-payment' && (choices !== null || method !== undefined)
  if (order.state !== 'draft' && !isPlaced) return { ok: false, reason: reasonOf(order) }
  if (method === undefined && choices && isSoldAs(order, choices)) return { ok: true, orderId }
  if (method === 'invoice' && (await isApprovedForCard(scope.db, orderId))) return { ok: false, reason: 'invoice-not-offered' }

  if (isPlaced) {
    const reopened = await reopen(scope, orderId)
    if (!reopened.ok) return reopened
  }
  if (cart.id === null || cart.lines.length === 0 || cart.id !== order.cartId) return { ok: false, reason: 'cart-empty' }
  if (choices && (await isHeldByRequest(scope, order)) && changesDelivery(await priceStoredCart(scope, cart), choices))
    return { ok: false, reason: 'delivery-approved' }
  const priced = await priceStoredCart(scope, choices ? withChoices(cart, choices) : cart, isPlaced ? [] : offers)
  const chosen = points ?? pointsOf(order)
  const refused =
    reasonAgainst(scope.market, priced) ??
    (choices && reasonAgainstChoices(priced, choices)) ??
    reasonAgainstAddress(priced, order) ??
    reasonAgainstPoints(scope.market, priced, chosen) ??
    (slots ? reasonAgainstSlots(priced, slots) : null)
  if (refused) return refused
  const charged = await holdBudget(scope, {
    id: orderId,
    amount: priced.totals.total,
    net: priced.totals.net,
    categories: categoriesOf(priced),
  })
  if (!charged.ok) return charged
  let payBy: PayBy = byCard
  if (method === 'invoice') {
    const held = await holdCredit(scope, priced.totals.total)
    if (!held.ok) return held
    payBy = { method, companyId: held.companyId }
  }
  const newChoices = choices?.filter(({ sellerId, kind }) => cart.choices[sellerId] !== kind) ?? []
  const couponCode = priced.couponDiscount > 0 ? cart.couponCode : null
  const lines = priced.sellers.flatMap((group) => group.lines)
  const quoteIds = [...new Set(lines.flatMap(({ quote }) => quote?.quoteId ?? []))]
  const [sellerOrders, returnDays] = await Promise.all([
    sellerOrdersOf(scope, order, priced, chosen, slots ?? slotsOf(order)),
    order.mode === 'b2b' ? freeReturnDays(scope, scope.market) : null,
  ])
  const senderHash = senderHashOf(scope.remoteAddress)
  const isForFirstOrder = couponCode !== null && cart.coupon?.firstOrderOnly === true
  // A company that is registered twice has one first order.
  const companyId = isForFirstOrder && order.companyId !== null ? await firstOfNumber(scope.db, order.companyId) : order.companyId
  const buyer = { key: customerKey(order.email), id: customerIdOf(scope), companyId }
  // Written in one round trip; a failed write refuses the command, and the rollback undoes the rest.
  const [reserved, redeemed, isWritten] = await Promise.all([
    reserveStock(
      scope.db,
      orderId,
      lines.map(({ offer, quantity }) => ({
        offerId: offer.id,
        quantity,
        price: offer.price,
        proPrice: offer.proPrice,
        quantityBreaks: offer.quantityBreaks,
      })),
    ),
    couponCode === null ? 'ok' : redeemCoupon(scope.db, couponCode, buyer, orderId),
    writePlaced(scope.db, {
      id: orderId,
      placement: order.placement,
      cartVersion: newChoices.length > 0 ? cart.version + 1 : cart.version,
      couponCode,
      totals: priced.totals,
      sellerOrders,
      holdSeconds,
      senderHash,
      freeReturnDays: returnDays,
      maxHeld: new Map(lines.map(({ offer }) => [offer.id, maxHeld(offer.stock)])),
      payment: paymentRequest(scope, { id: orderId, placement: order.placement + 1, amount: priced.totals.total }, payBy),
    }),
    newChoices.length > 0 && writeChoices(scope.db, cart.id, newChoices),
    noteOrderVisitor(scope, orderId),
    order.companyId !== null && endUnneeded(scope.db, orderId, scope.now),
  ])
  // A quote is ordered once: another order has taken it in the meantime.
  if (quoteIds.length > 0 && !(await claimQuotedPrices(scope.db, quoteIds, orderId))) return { ok: false, reason: 'cart-changed' }
  // Sold out, or dearer, since it was read: the buyer is informed before anything is charged.
  if (reserved.length < lines.length)
    return reasonAgainst(scope.market, await priceStoredCart(scope, cart)) ?? { ok: false, reason: 'cart-changed' }
  // Asked after the redemption, which locks the first order of the person and of the company: whatever was paid for before that counts.
  if (isForFirstOrder && (redeemed === 'already-used' || (await hasBought(scope, order.email))))
    return { ok: false, reason: 'coupon-first-order-only' }
  // Held until the order is: a customer who loses the status at the same moment loses it before or after.
  const audience = couponCode === null ? null : (cart.coupon?.audience ?? null)
  if (audience !== null && !(await belongsTo(scope, audience, { hold: true }))) return { ok: false, reason: 'coupon-not-for-you' }
  if (redeemed !== 'ok') return { ok: false, reason: redeemed === 'exhausted' ? 'coupon-exhausted' : 'coupon-already-used' }
  if (!isWritten) {
    const wanted = lines.map(({ offer, quantity }) => ({ offerId: offer.id, quantity, maxHeld: maxHeld(offer.stock) }))
    const isBarred = await mayNotHold(scope.db, wanted, { id: orderId, owner: order.owner, senderHash })
    // Otherwise a concurrent request with another key was faster.
    return { ok: false, reason: isBarred ? 'too-many-attempts' : 'payment-in-progress' }
  }
  emitStockChanged(scope, reserved)
  return { ok: true, orderId }
}

/** Cost of the goods of each category, after discounts. */
function categoriesOf({ sellers }: PricedCart): { category: number; amount: number }[] {
  const sums = new Map<number, number>()
  for (const { offer, total, discount } of sellers.flatMap(({ lines }) => lines)) {
    sums.set(offer.categoryId, (sums.get(offer.categoryId) ?? 0) + total - discount)
  }
  return [...sums].map(([category, amount]) => ({ category, amount }))
}

function reasonOf({ state }: CustomerOrder): RefusalReason {
  if (state === 'awaiting-payment' || state === 'authorised') return 'payment-in-progress'
  return state === 'cancelled' ? 'order-not-open' : 'order-already-paid'
}

/** Freight is announced by phone; the number is asked for only with such a delivery. (V-41) */
function reasonAgainstAddress({ sellers }: PricedCart, { address }: CustomerOrder): Refused | null {
  if (address.phone !== '' || !sellers.some(({ kind }) => needsPhone(kind))) return null
  return { ok: false, reason: 'address-invalid', fields: { phone: 'missing' } }
}

/** Whether a request for approval, which names address and points, holds the order as it is. */
async function isHeldByRequest({ db }: Scope, { id, companyId }: CustomerOrder): Promise<boolean> {
  return companyId !== null && (await approvalOfOrder(db, id, companyId)) !== null
}

/** Whether a part would be delivered in another way; another pick-up point is the same way. */
function changesDelivery({ sellers }: PricedCart, choices: readonly DeliveryChoice[]): boolean {
  return sellers.some(({ seller, kind }) => choices.some((choice) => choice.sellerId === seller.id && choice.kind !== kind))
}

/** Whether the order awaits its payment with exactly these choices, so that placing it changes nothing. */
function isSoldAs({ state, sellerOrders }: CustomerOrder, choices: readonly DeliveryChoice[]): boolean {
  if (state !== 'awaiting-payment') return false
  return choices.every(({ sellerId, kind, pointId = null, slotId: slot = null }) =>
    sellerOrders.some(
      (part) =>
        part.sellerId === sellerId &&
        part.deliveryKind === kind &&
        (kind !== 'relay' || (part.pickUpPoint?.id ?? null) === pointId) &&
        (kind !== 'appointment' || (part.appointment ? slotId(part.appointment) : null) === slot),
    ),
  )
}

/** A coupon that this cart does not use, for one of these reasons, is in nobody's way. */
const idleCoupon: ReadonlySet<RefusalReason> = new Set(['coupon-not-applicable', 'coupon-not-for-quotes', 'coupon-minimum-not-met'])

/** The reason to refuse this cart as read, if any. */
export function reasonAgainst(market: Market, priced: PricedCart): Refused | null {
  const soldOut = priced.sellers.flatMap((group) => group.lines).find(({ state }) => state === 'out-of-stock')
  if (soldOut) return { ok: false, reason: 'sold-out', details: { title: inLanguage(soldOut.offer.titles, markets[market].language) } }
  if (hasChanges(priced)) return { ok: false, reason: 'cart-changed' }
  if (priced.totals.total > cartLimits.total) return { ok: false, reason: 'cart-too-large' }
  if (priced.totals.total <= 0) return { ok: false, reason: 'cart-empty' }
  // A coupon that expired or was used up in the meantime is reported, not dropped silently.
  if (priced.couponReason && !idleCoupon.has(priced.couponReason)) return { ok: false, reason: priced.couponReason }
  const unreachable = priced.sellers.find(({ options }) => options.length === 0)
  return unreachable ? { ok: false, reason: 'delivery-not-available' } : null
}
