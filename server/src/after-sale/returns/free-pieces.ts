import type { LineQuantities, RecordedMove } from '#orders'
import { holdsPieces, type ReturnRequest } from './return-request.ts'

interface Pieces {
  offerId: string
  quantity: number
}
type Holding = Pick<ReturnRequest, 'lines' | 'state' | 'isSettled' | 'replacementOrder'>

const sent = ['shipped', 'delivered', 'closed', 'incident-open'] as const
/** Paid back without having arrived: returned by the pick-up point, the subject of a dispute, or lost. */
const isPaidBack: ReadonlySet<string> = new Set(['not-collected', 'refunded-in-dispute', 'lost-refunded'])

/** Pieces of each line that can be in returns: those sent, without those paid back on their way. */
export function returnablePieces(
  lines: readonly LineQuantities[],
  moves: readonly Pick<RecordedMove, 'offerId' | 'quantity' | 'to' | 'reason'>[],
): Map<string, number> {
  return new Map(
    lines.map(({ offerId, quantities }) => {
      const gone = sent.reduce((sum, state) => sum + (quantities[state] ?? 0), 0)
      const paidBack = moves.filter(({ to, reason }) => to === 'closed' && isPaidBack.has(reason))
      return [offerId, gone - countOf(paidBack, offerId)]
    }),
  )
}

/** Pieces of a line that these returns hold. */
export function heldPieces(returns: readonly Holding[], offerId: string): number {
  return countOf(
    returns.filter(holdsPieces).flatMap(({ lines }) => lines),
    offerId,
  )
}

/** Whether pieces can be the subject of a return next to others of the same part. */
export function areFree(pieces: readonly Pieces[], returnable: ReadonlyMap<string, number>, others: readonly Holding[]): boolean {
  return pieces.every(({ offerId, quantity }) => heldPieces(others, offerId) + quantity <= (returnable.get(offerId) ?? 0))
}

/** Of these pieces, those that can be the subject of a return next to others of the same part. */
export function freePieces(pieces: readonly Pieces[], returnable: ReadonlyMap<string, number>, others: readonly Holding[]): Pieces[] {
  return pieces.flatMap(({ offerId, quantity }) => {
    const free = Math.min(quantity, (returnable.get(offerId) ?? 0) - heldPieces(others, offerId))
    return free > 0 ? [{ offerId, quantity: free }] : []
  })
}

/**
 * The pieces in an incident for which settled returns have given money or other goods: those that cannot be among the pieces which have
 * arrived or are on their way. Of goods that were repaired or sent back only what had arrived is in the order that brings them.
 */
export function givenForMissing({
  lines,
  moves,
  returns,
}: {
  lines: readonly LineQuantities[]
  moves: Parameters<typeof returnablePieces>[1]
  returns: readonly (Holding & Pick<ReturnRequest, 'wish'>)[]
}): Pieces[] {
  const returnable = returnablePieces(lines, moves)
  const ended = returns.filter(({ isSettled, state, wish }) => isSettled && (wish !== 'repair' || state === 'refunded'))
  return lines.flatMap(({ offerId, quantities }) => {
    const missing = quantities['incident-open'] ?? 0
    const quantity = Math.min(missing, heldPieces(ended, offerId) - ((returnable.get(offerId) ?? 0) - missing))
    return quantity > 0 ? [{ offerId, quantity }] : []
  })
}

/** Whether pieces can be sent once more although the buyer returns goods of the part: those in returns have to be with the buyer, or on their way. */
export function maySendAgain(
  pieces: readonly Pieces[],
  {
    lines,
    moves,
    returns,
  }: { lines: readonly LineQuantities[]; moves: Parameters<typeof returnablePieces>[1]; returns: readonly Holding[] },
): boolean {
  const returnable = returnablePieces(lines, moves)
  return pieces.every(({ offerId, quantity }) => heldPieces(returns, offerId) + quantity <= (returnable.get(offerId) ?? 0))
}

function countOf(pieces: readonly Pieces[], offerId: string): number {
  return pieces.reduce((sum, piece) => sum + (piece.offerId === offerId ? piece.quantity : 0), 0)
}
