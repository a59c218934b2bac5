import { createHash, randomBytes } from 'node:crypto'
import { markets } from '@purlin/contract/markets.ts'
import { companyOf, customerIdOf, inPerson, ownerOf, readMembers } from '#accounts'
import { changeCartOwner, priceStoredCart, reasonAgainstChoices, type PricedCart } from '#cart'
import { inLanguage, productUrl } from '#catalogue'
import { adoptDraft, isOrderId, lockOrder } from '#orders'
import { newId, type Scope } from '#platform'
import {
  approvalOfOrder,
  approvalRequestedMail,
  approversOf,
  countPendingApprovals,
  exceededLimits,
  insertApproval,
  mayApprove,
  needsCostCentre,
  type Approval,
  type Proposal,
} from '#purchasing'
import { sendMail } from '#mail'
import { asChoices, findChosenPoints, reasonAgainstPoints, type ChosenPoint, type ChosenPoints } from './chosen-points.ts'
import { asOfSale } from './seller-orders.ts'
import { findToSell, mayPlace, proposalOwner, reasonAgainst } from './place-order.ts'

/** A request that nobody decides about in a week expires. */
const validDays = 7
/** Of one buyer: each sends mails to colleagues. */
const maxPending = 20

export type RequestRefusal = {
  ok: false
  reason:
    | 'unknown-order'
    | 'cart-changed'
    | 'coupon-unavailable'
    | 'approval-not-needed'
    | 'cost-centre-needed'
    | 'no-approver'
    | 'too-many-requests'
    | 'note-invalid'
    | NonNullable<ReturnType<typeof reasonAgainstPoints>>['reason']
}

export interface RequestOf {
  customerOrderId: string
  payBy: Approval['payBy']
  note: string
  points?: readonly ChosenPoint[]
}

/**
 * Asks the approvers of the company about an order beyond the buyer's limits. The cart with its prices belongs to the request
 * from now on, so that the buyer may fill another one. Pick-up points are named with the request and asked for again when it is decided.
 * An order has one request: sent again, it returns the id of that one.
 */
export async function requestApproval(
  scope: Scope,
  { customerOrderId, payBy, note, points: chosen = [] }: RequestOf,
): Promise<{ ok: true; id: string } | RequestRefusal> {
  const [owner, companyId, customerId] = [ownerOf(scope), companyOf(scope), customerIdOf(scope)]
  if (owner === null || companyId === null || customerId === null || !isOrderId(customerOrderId))
    return { ok: false, reason: 'unknown-order' }
  const written = note.trim()
  if (written.length > 500 || /[^\P{Cc}\n\r\t]/u.test(written)) return { ok: false, reason: 'note-invalid' }
  const points = await findChosenPoints(scope, asChoices(chosen))
  const [{ cart, offers }, found] = await findToSell(scope, owner, customerOrderId)
  const order = found && (await adoptDraft(scope, found))
  if (order?.state !== 'draft' || order.companyId !== companyId) return { ok: false, reason: 'unknown-order' }
  const sent = await approvalOfOrder(scope.db, customerOrderId, companyId)
  if (sent !== null) return { ok: true, id: sent }
  if (cart.id === null || cart.id !== order.cartId || cart.lines.length === 0) return { ok: false, reason: 'cart-changed' }
  const priced = await priceStoredCart(scope, cart, offers)
  const against = reasonAgainst(scope.market, priced) ?? reasonAgainstChoices(priced, [])
  if (against?.reason === 'coupon-unavailable') return { ok: false, reason: against.reason } // Nothing has changed: it can be sent again.
  if (against) return { ok: false, reason: 'cart-changed' }
  const refused = reasonAgainstPoints(scope.market, priced, points)
  if (refused) return { ok: false, reason: refused.reason }
  const { total } = priced.totals
  // Whose budget it is stays as it is from here on.
  await lockOrder(scope.db, customerOrderId)
  if (await needsCostCentre(scope, customerOrderId)) return { ok: false, reason: 'cost-centre-needed' }
  const limits = await exceededLimits(scope, { id: customerOrderId, amount: total })
  if (limits.length === 0) return { ok: false, reason: 'approval-not-needed' }
  const { market, mode, origin } = scope
  const { currency } = markets[market]
  if ((await countPendingApprovals(scope.db, companyId, customerId)) >= maxPending || !(await mayPlace(scope)))
    return { ok: false, reason: 'too-many-requests' }
  const approvers = await approversOf(scope.db, { companyId, customerId, amount: total, currency })
  if (approvers.length === 0) return { ok: false, reason: 'no-approver' }
  const id = newId()
  const expiresAt = new Date(scope.now.getTime() + validDays * 86_400_000)
  const links = approvers.map((approver) => ({ approver, token: randomBytes(32).toString('base64url') }))
  const request = {
    id,
    customerOrderId,
    companyId,
    customerId,
    market,
    origin,
    payBy,
    total,
    currency,
    limits,
    note: written || null,
    expiresAt,
  }
  const isNew = await insertApproval(
    scope.db,
    { ...request, proposal: proposalOf(scope, priced, points) },
    links.map(({ approver, token }) => ({ hash: hashOfToken(token), approverId: approver.id })),
  )
  if (!isNew) return { ok: false, reason: 'unknown-order' }
  await changeCartOwner(scope.db, cart.id, proposalOwner(id))
  const buyer = (await readMembers(scope.db, companyId)).find((member) => member.id === customerId)?.name ?? ''
  for (const { approver, token } of links) {
    const payload = { buyer, total, note: request.note, token }
    await sendMail(scope, approvalRequestedMail, {
      to: approver.email,
      site: { market, mode, origin },
      payload,
      key: `approval:${id}:${approver.id}`,
    })
  }
  return { ok: true, id }
}

/** Whether this colleague may decide about a request, as it was sent and at today's total. */
export function mayDecide(
  { db }: Scope,
  { companyId, customerId, total, currency }: Approval,
  colleague: string,
  now = total,
): Promise<boolean> {
  return mayApprove(db, { companyId, customerId, amount: Math.max(total, now), currency }, colleague)
}

function proposalOf(scope: Scope, priced: PricedCart, points: ChosenPoints): Proposal {
  const { market } = scope
  const { language } = markets[market]
  const lines = priced.sellers.flatMap((group) => group.lines)
  return {
    lines: lines.map(({ offer, quantity, unitPrice, total }) => ({
      offerId: offer.id,
      title: inLanguage(offer.titles, language),
      url: productUrl(inLanguage(offer.slugs, language), offer.productId),
      quantity,
      unitPrice,
      total,
    })),
    delivery: priced.totals.delivery,
    discount: priced.totals.discount,
    ...(inPerson(scope) === null && { isFromSystem: true }),
    points: priced.sellers.flatMap(({ seller, kind }) => {
      const point = kind === 'relay' ? asOfSale(points.get(seller.id)) : null
      return point ? [{ sellerId: seller.id, point }] : []
    }),
  }
}

export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
