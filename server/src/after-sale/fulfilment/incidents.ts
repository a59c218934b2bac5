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

type Move = Pick<RecordedMove, 'offerId' | 'quantity' | 'from' | 'to' | 'reason' | 'at'>

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

type MoveOfParcel = Move & Pick<RecordedMove, 'parcelId'>
/** Those of one parcel; null if whoever moved them named none, as a deadline does. */
type PiecesOfParcel = IncidentPieces & Pick<RecordedMove, 'parcelId'>

/**
 * The incidents of a seller order by line and reason, since pieces of one line may be in different parcels. Which ones have left follows from
 * the parcel that was reported, and otherwise from why they did: what is sent again has come back first of all, what arrives has not, what is
 * refunded by time was lost, and what nobody claimed was not; otherwise the oldest.
 */
export function incidentsByReason(lines: readonly LineQuantities[], moves: readonly MoveOfParcel[]): IncidentPieces[] {
  return lines.flatMap(({ offerId, quantities }) => {
    if (!quantities['incident-open']) return []
    const open: PiecesOfParcel[] = []
    // Moves are in the order of their instants, which clocks of several machines may not agree on: what has left may seem not to be in it yet.
    const early: MoveOfParcel[] = []
    for (const move of moves) {
      if (move.offerId !== offerId) continue
      const { quantity, from, to, reason, at: openedAt, parcelId } = move
      if (from === 'incident-open') early.push({ ...move, quantity: takeFrom(open, move) })
      if (to === 'incident-open') open.push({ offerId, quantity, reason, openedAt, parcelId })
    }
    for (const move of early) takeFrom(open, move)
    return sumByReason(open)
  })
}

/** Reasons for which an incident ends by itself: paid back as lost, with a return before, or as arrived. */
const byTime: ReadonlySet<string> = new Set(['lost-refunded', 'given-with-return', 'not-claimed'])

/** Takes the likeliest pieces. Returns the number of pieces that were not there. */
function takeFrom(open: readonly PiecesOfParcel[], { quantity, to, reason, parcelId }: MoveOfParcel): number {
  const isLikely = (pieces: PiecesOfParcel) => {
    if (to === 'delivered') return !isBackWithSeller(pieces)
    if (reason === 'sent-again') return isBackWithSeller(pieces)
    if (byTime.has(reason)) return (pieces.reason === 'carrier-lost') === (reason !== 'not-claimed')
    return pieces.reason === reason
  }
  const isInAnother = (pieces: PiecesOfParcel) => parcelId !== null && pieces.parcelId !== null
  const rank = (pieces: PiecesOfParcel) => {
    if (parcelId !== null && pieces.parcelId === parcelId) return 0
    return (isLikely(pieces) ? 1 : 3) + Number(isInAnother(pieces))
  }
  let left = quantity
  for (const pieces of open.toSorted((one, other) => rank(one) - rank(other))) {
    const taken = Math.min(left, pieces.quantity)
    pieces.quantity -= taken
    left -= taken
  }
  return left
}

function sumByReason(open: readonly PiecesOfParcel[]): IncidentPieces[] {
  const sums = new Map<string, IncidentPieces>()
  for (const { parcelId: _, ...pieces } of open) {
    if (pieces.quantity === 0) continue
    sums.set(pieces.reason, { ...pieces, quantity: pieces.quantity + (sums.get(pieces.reason)?.quantity ?? 0) })
  }
  return [...sums.values()]
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
