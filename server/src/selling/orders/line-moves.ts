import { sellerOrderSteps, statesBefore, type Actor, type CustomerOrderState, type SellerOrderState } from './order-states.ts'

/** Pieces by state; states without pieces are absent. */
export type Quantities = Partial<Record<SellerOrderState, number>>

export interface LineQuantities {
  offerId: string
  quantities: Quantities
}

/** Some pieces of a line, from one state to another. */
export interface LineMove {
  offerId: string
  quantity: number
  from: SellerOrderState
  to: SellerOrderState
}

export type MoveRefusal = 'unknown-line' | 'quantity-not-positive' | 'not-allowed' | 'not-in-this-state'

/** The quantities after these moves, in order; or the reason why one of them is refused, and then none is made. */
export function applyMoves(lines: readonly LineQuantities[], moves: readonly LineMove[], actor: Actor): LineQuantities[] | MoveRefusal {
  const after = new Map(lines.map(({ offerId, quantities }) => [offerId, { ...quantities }]))
  for (const { offerId, quantity, from, to } of moves) {
    const line = after.get(offerId)
    if (!line) return 'unknown-line'
    if (!Number.isSafeInteger(quantity) || quantity <= 0) return 'quantity-not-positive'
    if (!statesBefore(sellerOrderSteps, to, actor).includes(from)) return 'not-allowed'
    const left = (line[from] ?? 0) - quantity
    if (left < 0) return 'not-in-this-state'
    if (left === 0) delete line[from]
    else line[from] = left
    line[to] = (line[to] ?? 0) + quantity
  }
  return [...after].map(([offerId, quantities]) => ({ offerId, quantities }))
}

export function sumQuantities(lines: readonly { quantities: Quantities }[]): Quantities {
  const sum: Quantities = {}
  for (const { quantities } of lines)
    for (const [state, n] of Object.entries(quantities) as [SellerOrderState, number][]) sum[state] = (sum[state] ?? 0) + n
  return sum
}

const anyOf = (pieces: Quantities, ...states: SellerOrderState[]) => states.some((state) => (pieces[state] ?? 0) > 0)

/** A seller order is as far as its slowest piece; refused and cancelled pieces count only when there are no others. Source: R-482. */
export function stateOfSellerOrder(pieces: Quantities): SellerOrderState {
  if (anyOf(pieces, 'awaiting-payment')) return 'awaiting-payment'
  if (anyOf(pieces, 'incident-open')) return 'incident-open'
  if (anyOf(pieces, 'pending')) return 'pending'
  if (anyOf(pieces, 'preparing')) return 'preparing'
  // Part of it has left: the rest is being prepared.
  if (anyOf(pieces, 'accepted')) return anyOf(pieces, 'shipped', 'delivered', 'closed') ? 'preparing' : 'accepted'
  if (anyOf(pieces, 'shipped')) return 'shipped'
  if (anyOf(pieces, 'delivered')) return 'delivered'
  if (anyOf(pieces, 'closed')) return 'closed'
  return anyOf(pieces, 'refused') && !anyOf(pieces, 'cancelled') ? 'refused' : 'cancelled'
}

/** How a seller order has ended, as lists by state read it: open while any piece is under way, else arrived if any has come. */
export type Outcome = 'open' | 'arrived' | 'dropped'
export function outcomeOf(pieces: Quantities): Outcome {
  if (anyOf(pieces, 'awaiting-payment', 'pending', 'accepted', 'preparing', 'shipped', 'incident-open')) return 'open'
  return anyOf(pieces, 'delivered', 'closed') ? 'arrived' : 'dropped'
}

/** The state of a paid order, from all its pieces. Source: R-481. */
export function stateOfPaidOrder(pieces: Quantities): CustomerOrderState {
  const waits = anyOf(pieces, 'awaiting-payment', 'pending', 'accepted', 'preparing')
  const leaves = anyOf(pieces, 'shipped', 'incident-open')
  const arrived = anyOf(pieces, 'delivered', 'closed')
  if (waits) return leaves || arrived ? 'part-shipped' : 'paid'
  if (leaves) return 'shipped'
  if (arrived) return anyOf(pieces, 'delivered') ? 'delivered' : 'closed'
  return anyOf(pieces, 'refused', 'cancelled') ? 'cancelled' : 'paid'
}
