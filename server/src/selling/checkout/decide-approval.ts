import type { RefusalReason } from '@purlin/contract/refusals.ts'
import { authorize, companyOf, customerIdOf, lockCompany, readMember, type ActingMember } from '#accounts'
import { agreeToPrices, loadLines, lockCart, priceStoredCart } from '#cart'
import { sendMail } from '#mail'
import { findOrder, lockOrder, type CustomerOrder } from '#orders'
import { isId, withIdempotency, type JobScope, type Scope } from '#platform'
import {
  approvalDecidedMail,
  giveUpOrder,
  isValid,
  lockApproval,
  readApproval,
  readApprovalToken,
  settleApproval,
  writeApproved,
  type Approval,
  type ApprovalOutcome,
} from '#purchasing'
import { noPoints, pointsOfProposal, reasonAgainstPoints, type ChosenPoints } from './chosen-points.ts'
import { findToSell, mayPlace, proposalOwner, sell } from './place-order.ts'
import { hashOfToken, mayDecide } from './request-approval.ts'

/** The buyer places what was approved within a week. */
const validDays = 7

export interface Decision {
  isApproved: boolean
  comment: string
  /** The total the approver saw, in minor units with VAT: prices that changed since are shown before anything is ordered. */
  agreedTotal: number | null
}

export type DecisionRefusal = {
  ok: false
  reason:
    | 'unknown-approval'
    | 'already-decided'
    | 'not-yours-to-decide'
    | 'own-request'
    | 'buyer-may-not-order'
    | 'comment-invalid'
    | 'proposal-changed'
    | RefusalReason
}
export type Decided = { ok: true } | DecisionRefusal

/** A decision by a colleague who is signed in. */
export async function decideApproval(scope: Scope, id: string, decision: Decision): Promise<Decided> {
  const asked = isId(id) ? await readApproval(scope.db.reads, id) : undefined
  const deciderId = customerIdOf(scope)
  if (!asked || deciderId === null || !authorize(scope, 'approval.decide', asked)) return { ok: false, reason: 'unknown-approval' }
  const points = await pointsIfApproved(scope, asked, decision)
  const approval = await lockToDecide(scope, asked)
  return approval ? decide(scope, approval, { ...decision, deciderId, isByLink: false, points }) : { ok: false, reason: 'unknown-approval' }
}

/** The chosen points are looked up before the transaction begins, which must not wait for anybody. */
async function pointsIfApproved(scope: Scope, { proposal, state }: Approval, { isApproved }: Decision): Promise<ChosenPoints> {
  return isApproved && state === 'pending' ? pointsOfProposal(scope, proposal.points) : noPoints
}

/** A decision by the link of a mail, as the approver it was sent to; a buyer to whom it was forwarded does not become one. */
export async function decideApprovalByToken(scope: Scope, token: string, decision: Decision): Promise<Decided> {
  const link = await readApprovalToken(scope.db.reads, hashOfToken(token))
  const asked = link && (await readApproval(scope.db.reads, link.approvalId))
  const points = asked && (await pointsIfApproved(scope, asked, decision))
  const approval = asked && (await lockToDecide(scope, asked))
  if (!link || !approval || !points) return { ok: false, reason: 'unknown-approval' }
  return decide(scope, approval, { ...decision, deciderId: link.approverId, isByLink: true, points })
}

/** Roles and limits that are changed at the same moment are changed before or after. */
async function lockToDecide({ db }: Scope, { id, companyId }: Approval): Promise<Approval | undefined> {
  await lockCompany(db, companyId)
  return lockApproval(db, id)
}

interface DecisionOf extends Decision {
  deciderId: string
  isByLink: boolean
  points: ChosenPoints
}

/** In one transaction with the order: an approval without an order, or an order without an approval, does not exist. */
async function decide(scope: Scope, approval: Approval, decision: DecisionOf): Promise<Decided> {
  const { isApproved, agreedTotal, deciderId, isByLink, points } = decision
  const comment = decision.comment.trim() || null
  if (approval.market !== scope.market || scope.mode !== 'b2b') return { ok: false, reason: 'unknown-approval' }
  if (approval.state !== 'pending' || approval.expiresAt <= scope.now) return { ok: false, reason: 'already-decided' }
  if (comment !== null && (comment.length > 500 || /[^\P{Cc}\n\r\t]/u.test(comment))) return { ok: false, reason: 'comment-invalid' }
  // Also by a link that was forwarded to the buyer.
  if ([deciderId, customerIdOf(scope)].includes(approval.customerId)) return { ok: false, reason: 'own-request' }
  if (!(await mayDecide(scope, approval, deciderId, agreedTotal ?? 0))) return { ok: false, reason: 'not-yours-to-decide' }
  const settled = { comment, decidedBy: deciderId, isByLink, at: scope.now }
  if (!isApproved) {
    await settleApproval(scope.db, approval.id, { ...settled, state: 'refused' })
    return tellBuyer(scope, approval, 'refused', { comment })
  }
  const buyer = await readMember(scope.db, approval.customerId, approval.companyId)
  const asBuyer = buyer && scopeOf(scope, buyer, approval)
  if (!asBuyer || !mayOrder(asBuyer, approval)) return { ok: false, reason: 'buyer-may-not-order' }
  const cart = await lockCart(scope.db, proposalOwner(approval.id), approval.market)
  const priced = await priceStoredCart(asBuyer, cart)
  if (priced.totals.total !== agreedTotal) return { ok: false, reason: 'proposal-changed' }
  if (priced.sellers.some(({ lines }) => lines.some(({ counted, quantity }) => counted < quantity)) || priced.vanished.length > 0)
    return { ok: false, reason: 'sold-out' }
  const refusedPoint = reasonAgainstPoints(approval.market, priced, points)
  if (refusedPoint) return { ok: false, reason: refusedPoint.reason }
  await agreeToPrices(scope.db, priced)
  const validUntil = new Date(scope.now.getTime() + validDays * 86_400_000)
  const agreed = { ...approval, approvedTotal: agreedTotal }
  await writeApproved(scope.db, approval.id, { ...settled, approvedTotal: agreedTotal, validUntil })
  if (approval.payBy === 'invoice') {
    const found = await findToSell(asBuyer, `c:${buyer.id}`, approval.customerOrderId)
    const sold = await sell(asBuyer, approval.customerOrderId, { choices: null, method: 'invoice', points }, found)
    if (!sold.ok) return { ok: false, reason: sold.reason }
  }
  return approval.payBy === 'invoice'
    ? tellBuyer(scope, agreed, 'ordered', { comment })
    : tellBuyer(scope, agreed, 'approved', { comment, until: validUntil })
}

/** Whether the buyer of a request still orders for the company: they may have left it, or have another role by now. */
export function mayOrder(scope: Scope, { companyId, customerId }: Approval): boolean {
  return authorize(scope, 'order.place', { owner: `c:${customerId}`, companyId })
}

/** Commands on the buyer's behalf use the prices of the request and charge the buyer. */
export function scopeOf(scope: Scope, buyer: ActingMember, { origin, market, proposal }: Approval): Scope {
  const { besides: _, ...rest } = scope
  return { ...rest, principal: actorOf(buyer, proposal), session: null, market, mode: 'b2b', origin, prefersVat: buyer.prefersVat }
}

/** A request of a purchasing system has its prices, whoever prices it. */
function actorOf<Actor extends Scope['principal']>(actor: Actor, { isFromSystem = false }: Approval['proposal']): Actor {
  return isFromSystem && actor.kind === 'member' ? { ...actor, isPurchasingSystem: true } : actor
}

/**
 * The buyer orders what was approved, or needs no approval any more since the limits were raised; by invoice only what was approved to be
 * paid so.
 */
export async function orderApproved(
  scope: Scope,
  id: string,
  idempotencyKey: string,
  method: Approval['payBy'] = 'card',
): Promise<{ ok: true; orderId: string } | { ok: false; reason: RefusalReason }> {
  const customerId = customerIdOf(scope)
  const asked = isId(id) ? await readApproval(scope.db.reads, id) : undefined
  const isOwn = customerId !== null && asked?.customerId === customerId && asked.companyId === companyOf(scope)
  if (!asked || !isOwn) return { ok: false, reason: 'unknown-order' }
  const points = await pointsOfProposal(scope, asked.proposal.points)
  const approval = await lockToDecide(scope, asked)
  const isApproved = approval?.state === 'approved'
  // One that is unneeded has been ordered, perhaps by this request: the key says so.
  if (!isApproved && approval?.state !== 'pending' && approval?.state !== 'unneeded') return { ok: false, reason: 'unknown-order' }
  if (method === 'invoice' && (!isApproved || approval.payBy !== 'invoice')) return { ok: false, reason: 'unknown-order' }
  const orderId = approval.customerOrderId
  const keyed = {
    owner: `c:${customerId}`,
    key: idempotencyKey,
    body: { command: 'order-approved', id, ...(method === 'invoice' && { method }) },
    success: { ok: true as const, orderId },
  }
  return withIdempotency<{ ok: true; orderId: string } | { ok: false; reason: RefusalReason }>(scope, keyed, async () => {
    const order = await findOrder(scope, 'order.place', orderId)
    if (order?.state === 'awaiting-payment') return { ok: true, orderId }
    // The sale refuses one that is pending while it is beyond a limit.
    if (isApproved && !(await isValid(scope, approval))) return { ok: false, reason: 'approval-ended' }
    if (!(await mayPlace(scope))) return { ok: false, reason: 'too-many-attempts' }
    const asRequested = { ...scope, principal: actorOf(scope.principal, approval.proposal) }
    const how = { choices: null, points, ...(method === 'invoice' && { method }) }
    return sell(asRequested, orderId, how, await findToSell(asRequested, `c:${customerId}`, orderId))
  })
}

/**
 * The goods of a request that led to no order return to the buyer's cart, at today's prices. So do those of an order that was
 * approved, or needed no approval, and was not placed or paid. What the cart refuses stays with the request: `left` are its titles.
 */
export async function returnToCart(scope: Scope, id: string): Promise<{ ok: true; left: string[] } | DecisionRefusal> {
  const customerId = customerIdOf(scope)
  const approval = isId(id) ? await lockApproval(scope.db, id) : undefined
  if (
    customerId === null ||
    approval?.customerId !== customerId ||
    approval.companyId !== companyOf(scope) ||
    approval.market !== scope.market
  )
    return { ok: false, reason: 'unknown-approval' }
  if (approval.state === 'approved' || approval.state === 'unneeded') {
    // The cart before the order, as every command locks them.
    await lockCart(scope.db, proposalOwner(id), approval.market)
    const order = await lockOrder(scope.db, approval.customerOrderId)
    if (!order || !isReturnable(order)) return { ok: false, reason: 'already-decided' }
    await giveUpOrder(scope.db, id)
  }
  if (approval.state === 'pending')
    await settleApproval(scope.db, id, {
      state: 'withdrawn',
      comment: null,
      decidedBy: null,
      isByLink: null,
      at: scope.now,
    })
  const left = new Set(await loadLines(scope, proposalOwner(id)))
  return { ok: true, left: approval.proposal.lines.flatMap(({ offerId, title }) => (left.has(offerId) ? [title] : [])) }
}

/** Whether nothing was bought with an order: it is not placed, or was cancelled before it was paid. */
export function isReturnable({ state, paidAt }: Pick<CustomerOrder, 'state' | 'paidAt'>): boolean {
  return state === 'draft' || (state === 'cancelled' && paidAt === null)
}

interface ToTell {
  comment?: string | null
  until?: Date | null
  /** What becomes of each placement's payment is reported. */
  placement?: number
}

export async function tellBuyer(
  scope: Pick<JobScope, 'db'>,
  approval: Approval,
  outcome: ApprovalOutcome,
  { comment = null, until = null, placement = 0 }: ToTell = {},
): Promise<{ ok: true }> {
  const { id, customerId, companyId, market, origin } = approval
  const buyer = await readMember(scope.db, customerId, companyId)
  if (buyer) {
    const site = { market, mode: 'b2b' as const, origin }
    await sendMail(scope, approvalDecidedMail, {
      to: buyer.email,
      site,
      payload: { id, outcome, total: approval.approvedTotal ?? approval.total, comment, until },
      key: `approval:${id}:${keyOf(outcome, placement)}`,
    })
  }
  return { ok: true }
}

function keyOf(outcome: ApprovalOutcome, placement: number): string {
  if (outcome === 'unpaid' || outcome === 'declined' || outcome === 'undecided') return `${outcome}:${placement}`
  return outcome === 'lapsed' ? outcome : 'decided'
}
