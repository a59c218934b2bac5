import type { Market } from '@purlin/contract/markets.ts'
import { authorize } from '#accounts'
import { loadPricedCart, showRate, showTotals, type PricedCart, type PricedSeller } from '#cart'
import { findOrder, isPaid, sellerOrderId, stateLabel, type CustomerOrder, type OrderLine, type SellerOrder } from '#orders'
import { failureMessage, isCaptured, type Payment } from '#payments'
import { showPoint, showSlot, slotText } from '#pickup'
import type { Scope } from '#platform'
import { deliveryKindLabel, inTaxMode, showMoney, type DeliveryKind } from '#pricing'
import { departedSeller, knownSellers, type Seller } from '#sellers'
import { readAtMoment, type OrderMoment } from './await-moment.ts'
import { sellerOrdersOf } from './seller-orders.ts'

/** An order of this session or customer; otherwise null, without revealing whether it exists (A1–A3). */
export async function showOrder(scope: Scope, id: string, known: Known = {}) {
  const order = known.order ?? (await findOrder(scope, 'order.see', id))
  return order ? show(scope, order, known.priced) : null
}

export type ShownOrder = NonNullable<Awaited<ReturnType<typeof showOrder>>>

/** Data the preceding command has just read or written, to save reading it again. */
export interface Known {
  /** A draft. */
  order?: CustomerOrder
  priced?: PricedCart
}

/** The same once the order's payment reaches the moment a page waits for, or after a short timeout. */
export async function showOrderAt(scope: Scope, id: string, moment: OrderMoment) {
  const order = await readAtMoment(scope.db, id, moment, () => findOrder(scope, 'order.see', id), {
    since: scope.besides?.[0]?.since,
    leaveTurn: scope.leaveTurn,
  })
  return order ? show(scope, order) : null
}

async function show(scope: Scope, order: CustomerOrder & { payment?: Payment | null }, priced?: PricedCart) {
  if (order.state === 'draft') return showDraft(scope, order, priced ?? (await loadPricedCart(scope)))
  return showPlaced(scope, order, order.payment ?? null)
}

/** A draft has no lines of its own yet: it shows the cart it will be made from. */
async function showDraft(scope: Scope, order: CustomerOrder, priced: PricedCart) {
  const own: PricedCart = priced.cart.id === order.cartId ? priced : { ...priced, sellers: [] }
  const parts = await sellerOrdersOf(scope, order, own)
  const sellers = new Map(own.sellers.map((group: PricedSeller) => [group.seller.id, group.seller]))
  return {
    ...facts(scope, order),
    taxKey: priced.totals.taxKey,
    couponCode: own.couponDiscount > 0 ? own.cart.couponCode : null,
    sellerOrders: parts.map((part) => ({
      ...showPart(scope, order.market, part, sellers.get(part.sellerId)),
      id: sellerOrderId(order.id, part.sellerId),
    })),
    totals: showTotals(order.market, priced.totals),
    payment: null,
    holdsUntil: null,
  }
}

async function showPlaced(scope: Scope, order: CustomerOrder, payment: Payment | null) {
  const sellers = await knownSellers(
    scope,
    order.sellerOrders.map(({ sellerId }) => sellerId),
  )
  const nothing = { goods: 0, delivery: 0, discount: 0, net: 0, vat: 0, total: 0, vatLines: [] }
  return {
    ...facts(scope, order),
    taxKey: order.taxKey,
    couponCode: order.couponCode,
    sellerOrders: order.sellerOrders.map((part) => showPart(scope, order.market, part, sellers.get(part.sellerId))),
    totals: showTotals(order.market, order.totals ?? nothing),
    // The card fields offer the buyer's saved cards: a colleague who may see the order must not see how it will be paid.
    payment: payment && (isCaptured(payment.state) || authorize(scope, 'order.place', order)) ? showPayment(order.market, payment) : null,
    holdsUntil: order.state === 'awaiting-payment' ? order.holdsUntil : null,
  }
}

function facts(scope: Scope, order: CustomerOrder) {
  const { id, state, market, mode, createdAt, placedAt, email, currency, address, billingAddress, replaces } = order
  return {
    id,
    state,
    stateLabel: stateLabel(market, state),
    isPaid: isPaid(state),
    createdAt,
    placedAt,
    email,
    // Without what a link has opened to them.
    isInMyOrders: authorize(scope, 'order.see', { owner: order.owner, companyId: order.companyId }),
    market,
    mode,
    currency,
    address,
    billingAddress,
    replaces: replaces ? { customerOrderId: replaces.slice(0, replaces.lastIndexOf('-')), sellerOrderId: replaces } : null,
  }
}

function showPart({ now }: Pick<Scope, 'now'>, market: Market, part: SellerOrder, seller: Seller | undefined) {
  const key = part.lines.every(({ taxKey }) => taxKey === 'without_vat') ? 'without_vat' : 'with_vat'
  // Delivery shares the goods' VAT rates; the first line's rate is shown, as in the cart.
  const vat = { rateBp: part.lines[0]?.vatRateBp ?? 0, hasNoVATForDE: false }
  const money = (amount: number) => showMoney(market, amount)
  const option = part.deliveryOptions.find(({ kind }) => kind === part.deliveryKind)
  return {
    id: part.id,
    // Name and company as of the sale, everything else current.
    seller: { ...(seller ?? departedSeller(part.seller)), ...part.seller },
    state: part.state,
    stateLabel: stateLabel(market, part.state),
    lines: part.lines.map((line) => showLine(market, line)),
    deliveryOptions: part.deliveryOptions.map((each) => ({ ...each, fee: money(inTaxMode(key, each.fee, vat)) })),
    deliveryKind: part.deliveryKind,
    // A seller with nothing available has no delivery options.
    deliveryLabel: option?.label ?? (part.deliveryKind && deliveryKindLabel(market, part.deliveryKind as DeliveryKind)),
    deliveryPromise: part.appointment ? slotText(market, part.appointment) : (option?.promise ?? ''),
    appointment: part.appointment ? showSlot(market, part.appointment) : null,
    pickUpPoint: part.pickUpPoint && showPoint(market, part.pickUpPoint, now),
    goods: money(part.lines.reduce((all, line) => all + inTaxMode(key, line.total, { rateBp: line.vatRateBp, hasNoVATForDE: false }), 0)),
    delivery: money(inTaxMode(key, part.delivery, vat)),
    total: money(part.total),
  }
}

function showLine(market: Market, { offerId, productId, quantity, unitPrice, total, vatRateBp, taxKey, snapshot }: OrderLine) {
  const vat = { rateBp: vatRateBp, hasNoVATForDE: false }
  return {
    offerId,
    productId,
    ...snapshot,
    quantity,
    unitPrice: showMoney(market, inTaxMode(taxKey, unitPrice, vat)),
    total: showMoney(market, inTaxMode(taxKey, total, vat)),
    totalWithVat: showMoney(market, total),
    vatRate: showRate(market, vatRateBp),
  }
}

function showPayment(market: Market, { id, state, amount, method, paidWith, frameUrl, failureCode }: Payment) {
  return {
    id,
    state,
    isCaptured: isCaptured(state),
    amount: showMoney(market, amount),
    method,
    paidWith,
    frameUrl,
    failure: failureMessage(market, failureCode),
  }
}
