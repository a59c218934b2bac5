import type { LineQuantities, RecordedMove } from '#orders'

/** Pieces of a line that have not arrived. */
export interface Incident {
  offerId: string
  quantity: number
  /** Why the latest of them is in it, and since when. */
  reason: string
  openedAt: Date
  /** Since when any piece of the line has been missing. */
  since: Date
}

type Move = Pick<RecordedMove, 'offerId' | 'quantity' | 'from' | 'to' | 'reason' | 'at'> & Partial<Pick<RecordedMove, 'parcelId'>>

/** The incidents of a seller order, one per line, from its quantities and its moves, oldest first. */
export function incidentsOf(lines: readonly LineQuantities[], moves: readonly Move[]): Incident[] {
  return lines.flatMap(({ offerId, quantities }) => {
    const quantity = quantities['incident-open'] ?? 0
    let [missing, since] = [0, new Date(0)]
    for (const move of moves) {
      if (move.offerId !== offerId) continue
      if (move.to === 'incident-open') {
        if (missing === 0) since = move.at
        missing += move.quantity
      }
      if (move.from === 'incident-open') missing -= move.quantity
    }
    const last = moves.findLast((move) => move.offerId === offerId && move.to === 'incident-open')
    return quantity > 0 ? [{ offerId, quantity, reason: last?.reason ?? '', openedAt: last?.at ?? since, since }] : []
  })
}

/** Of an incident, the pieces in it for one reason. */
export type IncidentPieces = Pick<Incident, 'offerId' | 'quantity' | 'reason' | 'openedAt'>

/** Of a parcel, if it is known. */
type InParcel = IncidentPieces & { parcelId: string | null }

/**
 * The incidents of a seller order by line and reason, since pieces of one line may be in different parcels. Which ones have left is known where
 * the carrier has reported a parcel; otherwise it follows from why they did: what is sent again has come back first of all, what arrives has not,
 * what is refunded by time was lost, and what nobody claimed was not; otherwise the oldest.
 */
export function incidentsByReason(lines: readonly LineQuantities[], moves: readonly Move[]): IncidentPieces[] {
  return lines.flatMap(({ offerId, quantities }) => {
    if (!quantities['incident-open']) return []
    const open: InParcel[] = []
    // Moves are in the order of their instants, which clocks of several machines may not agree on: what has left may seem not to be in it yet.
    const early: Move[] = []
    for (const move of moves) {
      const { quantity, from, to, reason, at, parcelId = null } = move
      if (move.offerId !== offerId) continue
      if (from === 'incident-open') early.push({ ...move, quantity: takeFrom(open, move) })
      if (to === 'incident-open') open.push({ offerId, quantity, reason, openedAt: at, parcelId })
    }
    for (const move of early) takeFrom(open, move)
    return byReason(open)
  })
}

function byReason(open: readonly InParcel[]): IncidentPieces[] {
  const found = new Map<string, IncidentPieces>()
  for (const { offerId, quantity, reason, openedAt } of open) {
    if (quantity === 0) continue
    found.set(reason, { offerId, quantity: quantity + (found.get(reason)?.quantity ?? 0), reason, openedAt })
  }
  return [...found.values()]
}

/** Reasons for which an incident ends by itself: paid back as lost, with a return before, or as arrived. */
const byTime: ReadonlySet<string> = new Set(['lost-refunded', 'given-with-return', 'not-claimed'])

/** Returns the number of pieces that were not there. */
function takeFrom(open: readonly InParcel[], { quantity, to, reason, parcelId = null }: Move): number {
  const isLikely = (pieces: InParcel) => {
    if (reason === 'sent-again') return isBackWithSeller(pieces)
    if (byTime.has(reason)) return (pieces.reason === 'carrier-lost') === (reason !== 'not-claimed')
    return to === 'delivered' ? !isBackWithSeller(pieces) : pieces.reason === reason
  }
  const rank = (pieces: InParcel) => {
    if (parcelId !== null && pieces.parcelId === parcelId) return 0
    const isOfAnother = parcelId !== null && pieces.parcelId !== null
    return (isLikely(pieces) ? 1 : 2) + (isOfAnother ? 2 : 0)
  }
  let left = quantity
  for (const pieces of open.toSorted((one, other) => rank(one) - rank(other))) {
    const taken = Math.min(left, pieces.quantity)
    pieces.quantity -= taken
    left -= taken
  }
  return left
}

const sentBack: ReadonlySet<string> = new Set(['returned-to-sender', 'not-collected'])

/** Whether the seller has the pieces again: sent once more, they are no others. */
export function isBackWithSeller({ reason }: Pick<Incident, 'reason'>): boolean {
  return sentBack.has(reason)
}

const day = 86_400_000
/** Goods that cannot arrive any more are paid back after as long as a withdrawal may take. Source: 2011/83/EU art. 13(1), 18, 20. */
const refundDays = 14
/** Goods of which the carrier reports nothing count as arrived when their buyer has not said otherwise for so long. */
const claimDays = 30

export interface IncidentEnd {
  at: Date
  /** Whether the buyer gets the money. */
  isRefunded: boolean
}

/** `areOwn`: the buyer's own goods, repaired or after a refused claim. */
type Ending = Pick<Incident, 'reason' | 'openedAt'> & { areOwn?: boolean }

/**
 * The end of an incident about which there is no dispute. Where the carrier has reported that the goods do not arrive, the seller has a
 * while to send them again, and then the buyer's money goes back; where nobody knows, the buyer has a while to say that they are missing.
 * So they have for goods of their own that are back with the seller: nothing is owed for those (decision 114).
 */
export function incidentEnd({ reason, openedAt, areOwn = false }: Ending): IncidentEnd {
  const isRefunded = reason === 'carrier-lost' || (sentBack.has(reason) && !areOwn)
  return { at: new Date(openedAt.getTime() + (isRefunded ? refundDays : claimDays) * day), isRefunded }
}
