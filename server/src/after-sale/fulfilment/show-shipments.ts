import {
  quantitiesInParcels,
  quantityStates,
  readMoves,
  stateLabel,
  type LineQuantities,
  type RecordedMove,
  type SellerOrderState,
} from '#orders'
import type { Market } from '@purlin/contract/markets.ts'
import { settings, type Db } from '#platform'
import { isAwaited, type DueKind } from './deadlines.ts'
import { isLate, isUnderWay, stateOfParcel, type ParcelEvent } from './parcel.ts'
import { parcelToken } from './parcel-token.ts'
import { readDues, readParcels, type Due, type Parcel } from './store.ts'
import { moveLabel, parcelEventLabel, parcelStateLabel } from './words.ts'

interface Shown {
  market: Market
  now: Date
  db: Db
}

/** Parcels and history of these seller orders, which belong to one customer order that the caller may see. */
export async function showShipments({ market, now, db }: Shown, customerOrderId: string, sellerOrderIds: readonly string[]) {
  const [parcels, lines, moves, dues] = await Promise.all([
    readParcels(db, customerOrderId),
    quantityStates(db, sellerOrderIds),
    readMoves(db, sellerOrderIds),
    readDues(db, sellerOrderIds),
  ])
  const carried =
    parcels.length > 0
      ? await quantitiesInParcels(
          db,
          parcels.map(({ id }) => id),
        )
      : []
  return sellerOrderIds.map((sellerOrderId) => {
    const own = <Row extends { sellerOrderId: string }>(rows: readonly Row[]) => rows.filter((row) => row.sellerOrderId === sellerOrderId)
    return {
      sellerOrderId,
      pieces: own(lines).flatMap((line) => showPieces(market, line)),
      parcels: own(parcels).map((parcel) =>
        showParcel(
          market,
          parcel,
          now,
          carried.filter(({ parcelId }) => parcelId === parcel.id),
        ),
      ),
      history: own(moves).map((move) => showMove(market, move)),
      due: showDue(own(dues), own(lines), now),
    }
  })
}

function showPieces(market: Market, { offerId, quantities }: LineQuantities) {
  return (Object.entries(quantities) as [SellerOrderState, number][]).map(([state, quantity]) => ({
    offerId,
    state,
    stateLabel: stateLabel(market, state),
    quantity,
  }))
}

function showMove(market: Market, { at, offerId, quantity, to, reason }: RecordedMove) {
  return { at, offerId, quantity, to, label: moveLabel(market, { to, reason, quantity }) }
}

/** The seller's next step while there are pieces to take it with; the ends of other periods are not the buyer's concern. */
function showDue(dues: readonly Due[], lines: readonly LineQuantities[], now: Date) {
  const open = (wanted: DueKind) => (isAwaited(wanted, lines) ? dues.find(({ kind }) => kind === wanted) : undefined)
  const due = open('accept') ?? open('ship')
  return due ? { kind: due.kind, at: due.dueAt, isMissed: due.dueAt < now } : null
}

/** What anybody with the tracking link may know. */
export function showTracking(market: Market, { carrier, trackingNumber, expectedBy, heldUntil, events }: Parcel, now: Date) {
  const state = stateOfParcel(events)
  const late = isLate(state, expectedBy, now)
  return {
    carrier,
    trackingNumber,
    state,
    stateLabel: parcelStateLabel(market, state, late),
    expectedBy: isUnderWay(state) ? expectedBy : null,
    isLate: late,
    readyUntil: state === 'waiting-for-you' || state === 'returned' ? heldUntil : null,
    events: events.toSorted((a, b) => b.at.getTime() - a.at.getTime()).map((event) => showEvent(market, event)),
  }
}

function showEvent(market: Market, { kind, at, place }: ParcelEvent) {
  return { kind, label: parcelEventLabel(market, kind), at, place }
}

export function showParcel(market: Market, parcel: Parcel, now: Date, carried: readonly LineQuantities[]) {
  return {
    ...showTracking(market, parcel, now),
    id: parcel.id,
    token: parcelToken(settings().mail.linkSecret, parcel.id),
    contents: contentsOf(carried),
  }
}

/** Pieces in a parcel, whatever has become of them; those unpacked again are not in it. */
export function contentsOf(carried: readonly LineQuantities[]) {
  return carried
    .map(({ offerId, quantities: { accepted = 0, ...rest } }) => ({
      offerId,
      quantity: Object.values(rest).reduce((sum, n) => sum + n, 0),
      accepted,
    }))
    .filter(({ quantity }) => quantity > 0)
    .map(({ offerId, quantity }) => ({ offerId, quantity }))
}
