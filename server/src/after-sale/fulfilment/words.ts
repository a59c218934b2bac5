import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import type { RecordedMove } from '#orders'
import type { ParcelEventKind, ParcelState } from './parcel.ts'

export function parcelStateLabel(market: Market, state: ParcelState, isLate: boolean): string {
  return wordsFor(market)(isLate ? 'shipment.state.late' : `shipment.state.${state}`)
}

export function parcelEventLabel(market: Market, kind: ParcelEventKind): string {
  return wordsFor(market)(`shipment.event.${kind}`)
}

/** Reasons a buyer is told; any other goes unmentioned. */
const toldReasons = [
  'out-of-stock',
  'wrong-price',
  'cannot-deliver-there',
  'damaged-in-stock',
  'buyer-request',
  'not-accepted-in-time',
  'not-shipped-in-time',
  'not-arrived',
  'carrier-lost',
  'returned-to-sender',
  'not-collected',
  'collection-unknown',
  'refunded-in-dispute',
  'lost-refunded',
  'sent-again',
] as const
type ToldReason = (typeof toldReasons)[number]
const isTold = (reason: string): reason is ToldReason => toldReasons.some((each) => each === reason)

/** What happened to some pieces, as the buyer reads it. */
export function moveLabel(market: Market, { to, reason, quantity }: Pick<RecordedMove, 'to' | 'reason' | 'quantity'>): string {
  const t = wordsFor(market)
  if (isTold(reason)) return t(`shipment.reason.${reason}`, { count: quantity })
  // Pieces never go back to the time before their payment.
  return to === 'awaiting-payment' ? '' : t(`shipment.move.${to}`, { count: quantity })
}
