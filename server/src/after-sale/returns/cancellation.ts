import type { LineMove, LineQuantities } from '#orders'

export const cancellationReasons = ['changed-mind', 'found-cheaper', 'too-late', 'ordered-twice', 'wrong-address', 'other'] as const
export type CancellationReason = (typeof cancellationReasons)[number]

export type CancellationState = 'done' | 'requested' | 'granted' | 'refused' | 'overtaken'

export interface CancelledLine {
  offerId: string
  /** Pieces cancelled at once. */
  now: number
  /** Pieces the seller is asked about. */
  asked: number
}

export interface Cancellation {
  id: string
  customerOrderId: string
  sellerOrderId: string
  sellerId: number
  reason: CancellationReason
  state: CancellationState
  lines: CancelledLine[]
  note: string | null
  requestedAt: Date
  decidedAt: Date | null
}

/**
 * What becomes of a wish to cancel: pieces that wait for the seller are cancelled at once; of those the seller has accepted
 * or is preparing, the seller decides, unless they are the subject of an open request; shipped ones are returned instead.
 */
export function planCancellation(
  lines: readonly LineQuantities[],
  wanted: readonly { offerId: string; quantity: number }[],
  open: readonly CancelledLine[],
): CancelledLine[] {
  return wanted.flatMap(({ offerId, quantity }) => {
    const pieces = lines.find((line) => line.offerId === offerId)?.quantities ?? {}
    const waiting = open.filter((line) => line.offerId === offerId).reduce((all, { asked }) => all + asked, 0)
    const now = Math.min(quantity, pieces.pending ?? 0)
    const asked = Math.min(quantity - now, Math.max(0, (pieces.accepted ?? 0) + (pieces.preparing ?? 0) - waiting))
    return now + asked > 0 ? [{ offerId, now, asked }] : []
  })
}

/** The moves that grant a request: accepted pieces first, then those that are being prepared. */
export function movesToGrant(lines: readonly LineQuantities[], asked: readonly CancelledLine[]): LineMove[] {
  return asked.flatMap(({ offerId, asked: quantity }) => {
    const pieces = lines.find((line) => line.offerId === offerId)?.quantities ?? {}
    const accepted = Math.min(quantity, pieces.accepted ?? 0)
    const preparing = Math.min(quantity - accepted, pieces.preparing ?? 0)
    return [
      ...(accepted > 0 ? [{ offerId, quantity: accepted, from: 'accepted', to: 'cancelled' } as const] : []),
      ...(preparing > 0 ? [{ offerId, quantity: preparing, from: 'preparing', to: 'cancelled' } as const] : []),
    ]
  })
}
