import { authorize, companyOf, customerIdOf, readMember, readMembers } from '#accounts'
import { loadPricedCart, priceStoredCart, readCart } from '#cart'
import { readSite } from '#companies'
import { findOrder, isOrderId, readOrder, type CustomerOrder } from '#orders'
import { showPoint } from '#pickup'
import { readPaymentOfOrder } from '#payments'
import { isId, type Scope } from '#platform'
import { showMoney } from '#pricing'
import { knownSellers } from '#sellers'
import {
  countApprovals,
  exceededLimits,
  isValid,
  needsCostCentre,
  readApproval,
  readApprovals,
  readApprovalToken,
  readOrderReference,
  readOrderSite,
  type Approval,
} from '#purchasing'
import { isReturnable, mayOrder, scopeOf } from './decide-approval.ts'
import { proposalOwner, reasonAgainst } from './place-order.ts'
import { hashOfToken, mayDecide } from './request-approval.ts'

/** A request as its buyer and the approvers of the company see it; null for everybody else. */
export async function showApproval(scope: Scope, id: string) {
  const approval = isId(id) ? await readApproval(scope.db, id) : undefined
  if (!approval || approval.market !== scope.market) return null
  if (!authorize(scope, 'approval.see', { owner: `c:${approval.customerId}`, companyId: approval.companyId })) return null
  return show(scope, approval, customerIdOf(scope))
}

/** A request by the link of a mail, as the approver it was sent to sees it. */
export async function showApprovalByToken(scope: Scope, token: string) {
  const link = await readApprovalToken(scope.db, hashOfToken(token))
  const approval = link && (await readApproval(scope.db, link.approvalId))
  if (!link || !approval || approval.market !== scope.market) return null
  // The link opens nothing any more once its approver has left the company or has another role.
  const approver = await readMember(scope.db, link.approverId, approval.companyId)
  if (approver?.role !== 'admin' && approver?.role !== 'approver') return null
  // A buyer who is signed in stays the buyer, whoever forwarded the link.
  return show(scope, approval, customerIdOf(scope) === approval.customerId ? approval.customerId : approver.id)
}

const pageSize = 50
const lastPage = 1000

/** Requests of the viewer's company, page by page: all of them for approvers, their own for buyers. */
export async function listApprovals(scope: Scope, state: Approval['state'] | null = null, page = 1) {
  const asked = approvalsAsked(scope, state)
  if (!asked || page < 1 || page > lastPage) return []
  const [rows, members] = await Promise.all([
    readApprovals(scope.db, asked, { limit: pageSize, offset: (page - 1) * pageSize }),
    readMembers(scope.db, asked.companyId),
  ])
  return rows.map((approval) => ({
    id: approval.id,
    state: stateAt(approval, scope.now),
    buyer: members.find(({ id }) => id === approval.customerId)?.name ?? null,
    isYours: approval.customerId === customerIdOf(scope),
    total: showMoney(approval.market, approval.approvedTotal ?? approval.total),
    itemCount: approval.proposal.lines.length,
    requestedAt: approval.requestedAt,
    expiresAt: approval.expiresAt,
  }))
}

export async function countListed(scope: Scope, state: Approval['state'] | null) {
  const asked = approvalsAsked(scope, state)
  const total = asked ? await countApprovals(scope.db, asked) : 0
  return { total, pages: Math.max(1, Math.ceil(total / pageSize)) }
}

function approvalsAsked(scope: Scope, state: Approval['state'] | null) {
  const companyId = companyOf(scope)
  if (companyId === null) return null
  const customerId = authorize(scope, 'approval.see', { companyId }) ? null : customerIdOf(scope)
  return { companyId, market: scope.market, customerId, state, now: scope.now }
}

/** The limits that a draft of the viewer would exceed; null unless it is one. */
export async function showApprovalNeed(scope: Scope, customerOrderId: string) {
  const companyId = companyOf(scope)
  const order = isOrderId(customerOrderId) ? await findOrder(scope, 'order.place', customerOrderId) : undefined
  if (companyId === null || order?.state !== 'draft') return null
  const priced = await loadPricedCart(scope)
  if (priced.cart.id !== order.cartId) return null
  const { total } = priced.totals
  const limits = await exceededLimits(scope, { id: customerOrderId, amount: total })
  return {
    total: showMoney(scope.market, total),
    limits: showLimits(scope, limits),
    ...(await namesOf(scope, companyId, customerOrderId)),
  }
}

function showLimits({ market }: Scope, limits: Approval['limits']) {
  return limits.map(({ kind, limit, left }) => ({ kind, limit, left: showMoney(market, left) }))
}

async function namesOf({ db }: Scope, companyId: string, orderId: string) {
  const [reference, siteId] = await Promise.all([readOrderReference(db, orderId), readOrderSite(db, orderId, companyId)])
  const site = siteId === null ? undefined : await readSite(db, companyId, siteId)
  return { purchaseOrder: reference?.purchaseOrder ?? null, costCentre: reference?.costCentre ?? null, site: site?.name ?? null }
}

/** An approved order expires as long as it is not placed. */
function stateAt({ state, expiresAt }: Approval, now: Date, order?: CustomerOrder): Approval['state'] {
  const isOpen = state === 'pending' || (state === 'approved' && order?.state === 'draft')
  return isOpen && expiresAt <= now ? 'expired' : state
}

/** The same; an approval whose approver could not give it any more has ended, too. */
async function stateOf(scope: Scope, approval: Approval, order?: CustomerOrder): Promise<Approval['state']> {
  const isUnused = approval.state === 'approved' && order?.state === 'draft'
  return isUnused && !(await isValid(scope, approval)) ? 'expired' : stateAt(approval, scope.now, order)
}

async function show(scope: Scope, approval: Approval, viewerId: string | null) {
  const { id, companyId, customerId, customerOrderId, market, total, proposal, limits, note, comment, payBy } = approval
  const [members, order, names, kept] = await Promise.all([
    readMembers(scope.db, companyId),
    readOrder(scope.db, customerOrderId),
    namesOf(scope, companyId, customerOrderId),
    readCart(scope.db, proposalOwner(id), market),
  ])
  const state = await stateOf(scope, approval, order)
  const now = state === 'pending' ? await priceNow(scope, approval) : null
  const current = new Map(now?.lines.map((line) => [line.offerId, line]))
  const nameOf = (member: string | null) => members.find((each) => each.id === member)?.name ?? null
  const isYours = viewerId === customerId
  const stays = new Set(kept.lines.map(({ offerId }) => offerId))
  const isClosed = approval.state !== 'pending' && approval.state !== 'approved'
  const isPlaceable = approval.state === 'approved' || approval.state === 'unneeded'
  // A request that was never returned has all of its goods, and so has one whose buyer's basket took none of them.
  const isInPart = approval.state === 'withdrawn' || stays.size < proposal.lines.length
  const first = order?.sellerOrders[0]?.id
  return {
    id,
    state,
    customerOrderId,
    // The part of the order that its page is about; null before the order is placed.
    sellerOrderId: order && order.state !== 'draft' ? (first ?? null) : null,
    isOrderOpen: order?.state === 'draft' || order?.state === 'awaiting-payment',
    payment: approval.state === 'approved' && order ? await paymentOf(scope, order) : null,
    left: isClosed && isInPart ? proposal.lines.flatMap(({ offerId, title }) => (stays.has(offerId) ? [title] : [])) : [],
    canReturn: isYours && kept.lines.length > 0 && (!isPlaceable || (order !== undefined && isReturnable(order))),
    buyer: nameOf(customerId),
    isYours,
    canDecide: state === 'pending' && viewerId !== null && (await mayDecide(scope, approval, viewerId, now?.total ?? 0)),
    canOrder: isYours && now !== null && isWaiting(state, order) && (await needsNoApproval(approval, now)),
    payBy,
    note,
    comment,
    decidedBy: nameOf(approval.decidedBy),
    decidedAt: approval.decidedAt,
    requestedAt: approval.requestedAt,
    expiresAt: approval.expiresAt,
    ...names,
    address: order?.address ?? null,
    pickUpPoints: (proposal.points ?? []).map(({ point }) => showPoint(market, point, scope.now)),
    exchangeable: isYours && isWaiting(state, order) ? await pickedUp(scope, proposal) : [],
    limits: showLimits(scope, limits),
    lines: proposal.lines.map(({ offerId, title, url, quantity, unitPrice, total: amount }) => {
      const today = current.get(offerId)
      return {
        title,
        url,
        quantity,
        unitPrice: showMoney(market, unitPrice),
        total: showMoney(market, amount),
        newPrice: today && today.unitPrice !== unitPrice ? showMoney(market, today.unitPrice) : null,
        isGone: now !== null && (!today || today.counted < quantity),
      }
    }),
    delivery: showMoney(market, proposal.delivery),
    discount: showMoney(market, proposal.discount),
    total: showMoney(market, approval.approvedTotal ?? total),
    // The approver agrees to today's prices.
    totalNow: now === null ? null : showMoney(market, now.total),
    isChanged: now !== null && now.total !== total,
  }
}

async function paymentOf({ db }: Scope, order: CustomerOrder): Promise<'open' | 'declined' | 'undecided' | 'missed' | null> {
  if (isReturnable(order)) return order.placement > 0 ? 'missed' : null
  if (order.state !== 'awaiting-payment') return null
  const payment = await readPaymentOfOrder(db, order.id)
  if (payment?.state === 'failed') return 'declined'
  return payment?.state === 'action-required' && payment.method === 'invoice' ? 'undecided' : 'open'
}

function isWaiting(state: Approval['state'], order: CustomerOrder | undefined): boolean {
  return (state === 'pending' || state === 'approved') && order?.state === 'draft'
}

async function pickedUp(scope: Scope, { points = [] }: Approval['proposal']) {
  const sellers = await knownSellers(scope, new Set(points.map(({ sellerId }) => sellerId)))
  return points.map(({ sellerId, point }) => ({ sellerId, seller: sellers.get(sellerId)?.name ?? '', pointId: point.id }))
}

type PricedNow = NonNullable<Awaited<ReturnType<typeof priceNow>>>

/** The proposal at today's prices, for its buyer. */
async function priceNow(scope: Scope, approval: Approval) {
  const buyer = await readMember(scope.db, approval.customerId, approval.companyId)
  if (!buyer) return null
  const asBuyer = scopeOf(scope, buyer, approval)
  const priced = await priceStoredCart(asBuyer, await readCart(scope.db, proposalOwner(approval.id), approval.market))
  const lines = priced.sellers.flatMap((group) => group.lines)
  return {
    asBuyer,
    priced,
    total: priced.totals.total,
    lines: lines.map(({ offer, unitPrice, counted }) => ({ offerId: offer.id, unitPrice, counted })),
  }
}

/** Whether the order can be placed as it was requested, since the limits allow it by now. */
async function needsNoApproval(approval: Approval, { asBuyer, priced, total }: PricedNow): Promise<boolean> {
  if (!mayOrder(asBuyer, approval) || reasonAgainst(approval.market, priced)) return false
  // Its names stay as they are: a cost centre that the company wants by now can no longer be given.
  if (await needsCostCentre(asBuyer, approval.customerOrderId)) return false
  return (await exceededLimits(asBuyer, { id: approval.customerOrderId, amount: total })).length === 0
}
