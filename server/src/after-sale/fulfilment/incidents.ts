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

/**
 * The incidents of a seller order by line and reason, since pieces of one line may be in different parcels. Which ones have left follows from
 * why they did: what is sent again has come back first of all, what is refunded by time was lost, and what nobody claimed was not; otherwise the oldest.
 */
export function incidentsByReason(lines: readonly LineQuantities[], moves: readonly Move[]): IncidentPieces[] {
  return lines.flatMap(({ offerId, quantities }) => {
    if (!quantities['incident-open']) return []
    const open: IncidentPieces[] = []
    // Moves are in the order of their instants, which clocks of several machines may not agree on: what has left may seem not to be in it yet.
    const early: { quantity: number; reason: string }[] = []
    for (const { quantity, from, to, reason, at, ...move } of moves) {
      if (move.offerId !== offerId) continue
      if (from === 'incident-open') early.push({ quantity: takeFrom(open, quantity, reason), reason })
      if (to !== 'incident-open') continue
      const same = open.find((pieces) => pieces.reason === reason)
      if (same) Object.assign(same, { quantity: same.quantity + quantity, openedAt: at })
      else open.push({ offerId, quantity, reason, openedAt: at })
    }
    for (const { quantity, reason } of early) takeFrom(open, quantity, reason)
    return open.filter(({ quantity }) => quantity > 0)
  })
}

/** Returns the number of pieces that were not there. */
function takeFrom(open: IncidentPieces[], quantity: number, reason: string): number {
  const isLikely = (pieces: IncidentPieces) => {
    if (reason === 'sent-again') return isBackWithSeller(pieces)
    if (reason === 'lost-refunded' || reason === 'not-claimed') return (pieces.reason === 'carrier-lost') === (reason === 'lost-refunded')
    return pieces.reason === reason
  }
  let left = quantity
  for (const pieces of [...open.filter(isLikely), ...open.filter((each) => !isLikely(each))]) {
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
