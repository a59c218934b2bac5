import {
  lockPart,
  moveLines,
  quantityStates,
  readMoves,
  type LineMove,
  type LineQuantities,
  type MoveRefusal,
  type SellerOrderState,
} from '#orders'
import type { Scope } from '#platform'
import { dueAt } from './deadlines.ts'
import { findSale, promiseOf } from './find-sale.ts'
import { incidentsByReason, isBackWithSeller } from './incidents.ts'

export const sellerReasons = ['out-of-stock', 'wrong-price', 'cannot-deliver-there', 'buyer-request', 'damaged-in-stock', 'other'] as const
export type SellerReason = (typeof sellerReasons)[number]

export interface Pieces {
  offerId: string
  quantity: number
}

export type SaleRefusal =
  | MoveRefusal
  | 'unknown-order'
  | 'order-not-paid'
  | 'nothing-to-move'
  | 'carrier-invalid'
  | 'no-carrier'
  | 'tracking-number-taken'
  | 'note-too-long'
  | 'idempotency-key-missing'
  | 'idempotency-key-reused'
  | 'return-under-way'
export type Handled =
  | { ok: true; sellerOrderId: string; state: SellerOrderState; parcelId: string | null }
  | { ok: false; reason: SaleRefusal }

export interface Handling {
  sellerOrderId: string
  /** Null for all pieces that can still be handled this way. */
  lines: readonly Pieces[] | null
}

/** Accepts pieces: from now on the seller owes them by the deadline of the promise. */
export function acceptSale(scope: Scope, handling: Handling): Promise<Handled> {
  return handle(scope, handling, { from: ['pending'], to: 'accepted', reason: 'accepted', note: null })
}

/** Pieces that have come back to the seller are accepted once more (decision 114). Whether the buyer returns them is asked before. */
export async function sendAgain(scope: Scope, sellerOrderId: string, lines: readonly Pieces[]): Promise<Handled> {
  if (!(await areBackWithSeller(scope, sellerOrderId, lines))) return { ok: false, reason: 'not-in-this-state' }
  return handle(scope, { sellerOrderId, lines }, { from: ['incident-open'], to: 'accepted', reason: 'sent-again', note: null })
}

/** Locks the seller order, so that it stays true. */
async function areBackWithSeller({ db }: Scope, sellerOrderId: string, pieces: readonly Pieces[]): Promise<boolean> {
  await lockPart(db, sellerOrderId)
  const incidents = incidentsByReason(await quantityStates(db, [sellerOrderId]), await readMoves(db, [sellerOrderId]))
  const back = Map.groupBy(incidents.filter(isBackWithSeller), ({ offerId }) => offerId)
  return [...Map.groupBy(pieces, ({ offerId }) => offerId)].every(([offerId, asked]) => sumOf(asked) <= sumOf(back.get(offerId) ?? []))
}

const sumOf = (pieces: readonly { quantity: number }[]) => pieces.reduce((sum, { quantity }) => sum + quantity, 0)

export interface Declining extends Handling {
  reason: SellerReason
  note: string | null
}

/** Declines pieces that have not been accepted. */
export function refuseSale(scope: Scope, { reason, note, ...handling }: Declining): Promise<Handled> {
  return handle(scope, handling, { from: ['pending'], to: 'refused', reason, note })
}

/** Cancels pieces that were accepted and have not left yet. */
export function cancelSale(scope: Scope, { reason, note, ...handling }: Declining): Promise<Handled> {
  return handle(scope, handling, { from: ['accepted', 'preparing'], to: 'cancelled', reason, note })
}

interface Change {
  from: readonly SellerOrderState[]
  to: SellerOrderState
  reason: string
  note: string | null
}

const maxNoteLength = 500

async function handle(scope: Scope, { sellerOrderId, lines }: Handling, { from, to, reason, note }: Change): Promise<Handled> {
  const sale = await findSale(scope, 'sellerOrder.handle', sellerOrderId)
  if (!sale) return { ok: false, reason: 'unknown-order' }
  if ((note?.length ?? 0) > maxNoteLength) return { ok: false, reason: 'note-too-long' }
  const deadline = to === 'accepted' ? dueAt('ship', sale.order.market, scope.now, promiseOf(sale.part)) : null
  const moved = await moveLines(scope, {
    sellerOrderId,
    actor: 'seller',
    actorId: staffIdOf(scope),
    reason,
    note,
    deadline,
    moves: (held) => movesOf(held, lines, from, to),
  })
  return moved.ok ? { ok: true, sellerOrderId, state: moved.state, parcelId: null } : moved
}

export function staffIdOf({ principal }: Scope): string | null {
  return 'id' in principal ? principal.id : null
}

/** The pieces asked for, taken from these states in order; pieces beyond those held make the move fail as a whole. */
export function movesOf(
  held: readonly LineQuantities[],
  asked: readonly Pieces[] | null,
  from: readonly SellerOrderState[],
  to: SellerOrderState,
): LineMove[] {
  const all = held.map(({ offerId, quantities }) => ({ offerId, quantity: from.reduce((sum, state) => sum + (quantities[state] ?? 0), 0) }))
  return (asked ?? all.filter(({ quantity }) => quantity > 0)).flatMap(({ offerId, quantity }) => {
    const line = held.find((each) => each.offerId === offerId)
    let left = quantity
    const moves = from.flatMap((state): LineMove[] => {
      const taken = Math.min(left, line?.quantities[state] ?? 0)
      if (taken <= 0) return []
      left -= taken
      return [{ offerId, quantity: taken, from: state, to }]
    })
    // Refused by the rules, with the right reason.
    return left === 0 && moves.length > 0 ? moves : [{ offerId, quantity, from: from[0] ?? 'pending', to }]
  })
}
