import { incidentsByReason, isBackWithSeller } from '#fulfilment'
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

/** Pieces of a line that were paid back since then without having arrived. */
export function paidBackSince(
  moves: readonly Pick<RecordedMove, 'offerId' | 'quantity' | 'to' | 'reason' | 'at'>[],
  offerId: string,
  since: Date,
): number {
  return countOf(
    moves.filter(({ to, reason, at }) => to === 'closed' && isPaidBack.has(reason) && at >= since),
    offerId,
  )
}

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

/** Pieces of a line that are known not to be with the buyer: the carrier has lost them, or the seller has them again. */
export function missingPieces(
  lines: readonly LineQuantities[],
  moves: Parameters<typeof incidentsByReason>[1],
): ReadonlyMap<string, number> {
  const missing = new Map<string, number>()
  for (const pieces of incidentsByReason(lines, moves))
    if (pieces.reason === 'carrier-lost' || isBackWithSeller(pieces))
      missing.set(pieces.offerId, (missing.get(pieces.offerId) ?? 0) + pieces.quantity)
  return missing
}

/** Why pieces are closed for which a return has given money or goods. */
export const givenReason = 'given-with-return'

/**
 * The pieces in an incident for which settled returns have given their price or other goods: those that were withdrawn from without coming
 * back, and those that cannot be among the pieces which have arrived or are on their way. Goods that were repaired or sent back are the
 * buyer's own, and part of the price is for goods that they keep.
 */
export function givenForMissing({
  lines,
  moves,
  returns,
}: {
  lines: readonly LineQuantities[]
  moves: Parameters<typeof returnablePieces>[1]
  returns: readonly (Holding & Pick<ReturnRequest, 'wish' | 'basis' | 'wasHandedOver'>)[]
}): Pieces[] {
  const returnable = returnablePieces(lines, moves)
  const ended = returns.filter(
    ({ isSettled, state, wish }) => isSettled && wish !== 'part-refund' && (wish !== 'repair' || state === 'refunded'),
  )
  const isUnseen = ({ basis, wasHandedOver }: (typeof ended)[number]) => basis === 'withdrawal' && !wasHandedOver
  return lines.flatMap(({ offerId, quantities }) => {
    const missing = quantities['incident-open'] ?? 0
    const closed = countOf(
      moves.filter(({ to, reason }) => to === 'closed' && reason === givenReason),
      offerId,
    )
    const arrived = (returnable.get(offerId) ?? 0) - missing - closed
    const unseen = heldPieces(ended.filter(isUnseen), offerId)
    const seen = heldPieces(ended, offerId) - unseen
    const quantity = Math.min(missing, unseen + Math.max(0, seen - arrived) - closed)
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
