import { findPart, partsWrittenAbout, type PartAction, type SeenPart } from '#messages'
import { findOrder } from '#orders'
import { isId, type Scope } from '#platform'
import { showMoney } from '#pricing'
import { staffOf } from '#accounts'
import { movesOf, unknownOrder, type Dispute } from './dispute.ts'
import { stepText } from './step-text.ts'
import { findDispute, findDisputeOf, readDisputesOfOrder, readDisputesOfSeller, readOpenAbout, readSteps } from './store.ts'

/** The buyer's dispute about a message; null if there is none, or it is somebody else's. */
export async function showDisputeOf(scope: Scope, messageId: string) {
  const dispute = isId(messageId) ? await findDisputeOf(scope.db, messageId) : undefined
  return showFor(scope, 'dispute.see', dispute)
}

/** A dispute for the seller's staff. */
export async function showSellerDispute(scope: Scope, id: string) {
  const dispute = isId(id) ? await findDispute(scope.db, id) : undefined
  return showFor(scope, 'dispute.serve', dispute)
}

/** The same for a seller's program, which works in all markets: the dispute decides. */
export async function showDisputeToProgram(scope: Scope, id: string) {
  const dispute = isId(id) ? await findDispute(scope.db, id) : undefined
  const shown = await showFor(dispute ? { ...scope, market: dispute.market } : scope, 'dispute.serve', dispute)
  return dispute && shown && { ...shown, market: dispute.market }
}

async function showFor(scope: Scope, action: PartAction, dispute: Dispute | undefined) {
  // A foreign dispute takes as many statements as an unknown one.
  const seen = await findPart(scope, action, dispute?.sellerOrderId ?? unknownOrder)
  return dispute && seen ? show(scope, dispute, seen) : null
}

async function show({ db }: Scope, dispute: Dispute, { side, part }: SeenPart) {
  const { market, wanted, offered, decided, sellerOrderId, ...facts } = dispute
  const money = (amount: number | null) => (amount === null ? null : showMoney(market, amount))
  return {
    ...facts,
    orderId: sellerOrderId,
    sellerName: part.seller.name,
    wanted: money(wanted),
    offered: money(offered),
    decided: money(decided),
    isEnded: dispute.endedAt !== null,
    moves: movesOf(dispute.state, side),
    steps: (await readSteps(db, dispute.id)).map(({ amount, files, ...step }) => ({
      ...step,
      text: stepText(market, step, part.seller.name),
      amount: money(amount),
      files: files.map(({ id, name }) => ({
        id,
        name,
        url: `/api/v1/${side === 'buyer' ? '' : 'seller/'}disputes/${dispute.id}/files/${id}`,
      })),
    })),
  }
}

/** The disputes about an order of the principal, oldest first; null for anybody else's order. */
export async function listDisputesOfOrder(scope: Scope, customerOrderId: string) {
  const order = await findOrder(scope, 'dispute.see', customerOrderId)
  if (!order) return null
  return (await readDisputesOfOrder(scope.db, customerOrderId)).map(({ sellerOrderId, messageId, number, state, endedAt }) => ({
    orderId: sellerOrderId,
    messageId,
    number,
    state,
    isEnded: endedAt !== null,
  }))
}

/** Disputes of the principal as a buyer that wait for them: an offer to accept or refuse, a decision to appeal. */
export async function listDisputesToAnswer(scope: Scope) {
  const about = await partsWrittenAbout(scope)
  const open = about.length > 0 ? await readOpenAbout(scope.db, about, ['offered', 'decided']) : []
  return open.map(({ sellerOrderId, messageId, number, state, dueAt }) => ({ orderId: sellerOrderId, messageId, number, state, dueAt }))
}

/** The latest fifty disputes of the principal's seller. */
export async function listSellerDisputes(scope: Scope) {
  const sellerId = staffOf(scope)?.sellerId ?? null
  if (sellerId === null) return []
  return (await readDisputesOfSeller(scope.db, sellerId, scope.market)).map(({ sellerOrderId, ...dispute }) => ({
    id: dispute.id,
    number: dispute.number,
    orderId: sellerOrderId,
    reason: dispute.reason,
    state: dispute.state,
    openedAt: dispute.openedAt,
    dueAt: dispute.dueAt,
  }))
}
