import assert from 'node:assert/strict'
import { paidBack, type PaidBack } from '@purlin/server/after-sale/disputes/paid-back.ts'
import { incidentEnd, incidentsByReason, incidentsOf } from '@purlin/server/after-sale/fulfilment/incidents.ts'
import { areFree, returnablePieces } from '@purlin/server/after-sale/returns/free-pieces.ts'
import type { RecordedMove } from '@purlin/server/selling/orders/index.ts'
import type { LineMove, LineQuantities } from '@purlin/server/selling/orders/line-moves.ts'

/** Pieces in an incident: which reports bring them into it and out of it, by parcel. */

export type ModelMove = Pick<RecordedMove, keyof LineMove | 'reason' | 'parcelId' | 'at'>

/** Reports of a carrier name the parcel; those of a buyer or a former deadline do not. */
const opening = ['carrier-lost', 'returned-to-sender', 'not-collected', 'not-arrived']

/** Moves as recorded: of a reported parcel, or without one. `reason`: null if it is drawn. */
export function recordMoves(
  below: (n: number) => number,
  before: readonly ModelMove[],
  moves: readonly LineMove[],
  { reason, at }: { reason: string | null; at: Date },
): ModelMove[] {
  const recorded: ModelMove[] = []
  for (const move of moves) {
    const history = [...before, ...recorded]
    recorded.push({ ...move, at, ...drawCause(below, history, move), ...(reason !== null && { reason }) })
  }
  return recorded
}

function drawCause(below: (n: number) => number, history: readonly ModelMove[], move: LineMove): Pick<ModelMove, 'reason' | 'parcelId'> {
  if (move.to === 'incident-open')
    return { reason: opening[below(opening.length)] ?? '', parcelId: below(8) === 0 ? null : `parcel ${history.length}` }
  if (move.from !== 'incident-open') return { reason: move.to, parcelId: null }
  if (move.to !== 'delivered') return { reason: move.to === 'accepted' ? 'sent-again' : 'closed-by-operator', parcelId: null }
  const holding = [...contents(history, move.offerId)].flatMap(([parcelId, left]) => (left.quantity >= move.quantity ? [parcelId] : []))
  return { reason: 'delivered', parcelId: holding[below(holding.length)] ?? null }
}

/** The pieces of a line that went into an incident with a parcel and have not left it with the same one. */
function contents(history: readonly ModelMove[], offerId: string): Map<string, { reason: string; quantity: number }> {
  const parcels = new Map<string, { reason: string; quantity: number }>()
  for (const { parcelId, offerId: own, from, to, reason, quantity } of history) {
    if (parcelId === null || own !== offerId) continue
    if (to === 'incident-open') parcels.set(parcelId, { reason, quantity })
    const left = from === 'incident-open' ? parcels.get(parcelId) : undefined
    if (left) left.quantity -= quantity
  }
  return parcels
}

/** Each missing piece is in an incident for one reason; those of a parcel, for the reason reported about it, as long as pieces leave by parcel. */
export function checkIncidents(lines: readonly LineQuantities[], moves: readonly ModelMove[]): void {
  const byReason = incidentsByReason(lines, moves)
  for (const { offerId, quantities } of lines) {
    const own = byReason.filter((each) => each.offerId === offerId)
    const all = own.reduce((sum, { quantity }) => sum + quantity, 0)
    assert.equal(all, quantities['incident-open'] ?? 0, 'each piece in an incident has its reason')
    const ofLine = moves.filter((move) => move.offerId === offerId && (move.from === 'incident-open' || move.to === 'incident-open'))
    if (ofLine.some(({ parcelId }) => parcelId === null)) continue
    for (const reason of opening) {
      const left = [...contents(ofLine, offerId).values()].reduce((sum, each) => sum + (each.reason === reason ? each.quantity : 0), 0)
      assert.equal(
        own.find((each) => each.reason === reason)?.quantity ?? 0,
        left,
        `pieces of ${offerId} in an incident because of ${reason}`,
      )
    }
  }
}

/** Closes missing pieces whose price has gone back. */
export function movesOfPaidBack(moves: readonly ModelMove[], about: Omit<PaidBack, 'incidents'>): LineMove[] {
  const incidents = incidentsOf(about.quantities, moves)
  return paidBack({ ...about, incidents }).map((piece) => ({ ...piece, from: 'incident-open', to: 'closed' }))
}

interface Facts {
  lines: readonly LineQuantities[]
  moves: readonly ModelMove[]
  returns: Parameters<typeof areFree>[2]
}

/** The first of the open incidents, with its end by time; undefined if nothing is missing. */
export function nextEnd({ lines, moves, returns }: Facts) {
  const [incident] = incidentsByReason(lines, moves)
  if (!incident) return undefined
  const { offerId, quantity } = incident
  const units = [{ offerId, quantity }]
  const end = incidentEnd(incident)
  // The price of pieces that are the subject of a return counts once, whichever of the two gives it back.
  const reason = areFree(units, returnablePieces(lines, moves), returns) ? (end.isRefunded ? 'lost-refunded' : 'not-claimed') : null
  return { ...end, units, reason }
}
