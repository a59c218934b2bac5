import type { Market } from '@purlin/contract/markets.ts'
import type { ReturnReason, ReturnWish } from './offered-return.ts'

export const returnStates = [
  'requested',
  'accepted',
  'refused',
  'label-sent',
  'in-transit',
  'received',
  'inspected',
  'refunded',
  'exchanged',
  'lapsed',
  'closed',
] as const
export type ReturnState = (typeof returnStates)[number]
export type ReturnActor = 'buyer' | 'seller' | 'system'

/** Every transition of a return. Source: R-484. */
export const returnSteps: readonly { from: ReturnState; to: ReturnState; actors: readonly ReturnActor[] }[] = [
  { from: 'requested', to: 'accepted', actors: ['seller', 'system'] },
  { from: 'requested', to: 'refused', actors: ['seller'] },
  { from: 'requested', to: 'closed', actors: ['buyer'] },
  { from: 'accepted', to: 'label-sent', actors: ['system'] },
  // Settled without the goods coming back.
  { from: 'accepted', to: 'refunded', actors: ['seller'] },
  { from: 'accepted', to: 'exchanged', actors: ['seller'] },
  { from: 'label-sent', to: 'in-transit', actors: ['buyer', 'system'] },
  { from: 'label-sent', to: 'received', actors: ['seller'] },
  { from: 'label-sent', to: 'closed', actors: ['buyer'] },
  // A withdrawal from goods that the right excepts by their nature; nothing else is refused after the label.
  { from: 'label-sent', to: 'refused', actors: ['seller'] },
  { from: 'label-sent', to: 'lapsed', actors: ['system'] },
  // Goods that are sent, or arrive, late after all.
  { from: 'lapsed', to: 'in-transit', actors: ['system'] },
  { from: 'lapsed', to: 'received', actors: ['seller'] },
  // A seller may settle without waiting for the goods.
  { from: 'label-sent', to: 'refunded', actors: ['seller'] },
  { from: 'in-transit', to: 'received', actors: ['seller'] },
  // The carrier reports the goods that the buyer has handed over.
  { from: 'in-transit', to: 'in-transit', actors: ['system'] },
  // The carrier has brought them back to the buyer without having tried to deliver them.
  { from: 'in-transit', to: 'label-sent', actors: ['system'] },
  // Without the goods: by the seller, or once they have been awaited for too long.
  { from: 'in-transit', to: 'refunded', actors: ['seller', 'system'] },
  { from: 'in-transit', to: 'lapsed', actors: ['system'] },
  { from: 'received', to: 'inspected', actors: ['seller'] },
  { from: 'inspected', to: 'refunded', actors: ['seller'] },
  { from: 'inspected', to: 'exchanged', actors: ['seller'] },
  { from: 'inspected', to: 'refused', actors: ['seller'] },
  { from: 'refunded', to: 'closed', actors: ['system', 'buyer'] },
  { from: 'exchanged', to: 'closed', actors: ['system', 'buyer'] },
  { from: 'refused', to: 'closed', actors: ['system', 'buyer'] },
]

/** Days for handing goods over once their return has been declared or accepted. Source: 2011/83/EU art. 14(1). */
export const sendBackDays = 14
/** Days after the reminder until a return whose goods have not been handed over lapses. */
export const graceDays = 7
const dayMs = 86_400_000

/** When a return lapses whose label was sent, and whose buyer was reminded, at these times. */
export function lapsesAt(labelSentAt: Date, remindedAt: Date): Date {
  return new Date(Math.max(labelSentAt.getTime() + sendBackDays * dayMs, remindedAt.getTime()) + graceDays * dayMs)
}

/** Days on their way after which the seller is reminded of the goods, and the buyer asked for the receipt if no carrier has them. */
export const awaitedDays = 7
/** Days after which goods that a carrier has are paid back though the seller has not received them. Source: 2011/83/EU art. 13; decision 107. */
const carriedDays = 14
/** Days after which the return of goods lapses that no carrier has. */
const unseenDays = 21

/** When a return ends without its goods, whose seller is reminded at this time. */
export function endsWithoutGoodsAt({ updatedAt, isCarried }: Pick<ReturnRequest, 'updatedAt' | 'isCarried'>, remindedAt: Date): Date {
  const days = isCarried ? carriedDays : unseenDays
  return new Date(Math.max(updatedAt.getTime() + days * dayMs, remindedAt.getTime() + graceDays * dayMs))
}

/** How it then ends: paid back if there is proof that the goods were sent. Decision 107. */
export function endWithoutGoods({ isCarried }: Pick<ReturnRequest, 'isCarried'>): 'refunded' | 'lapsed' {
  return isCarried ? 'refunded' : 'lapsed'
}

const withoutPieces: ReadonlySet<ReturnState> = new Set(['refused', 'lapsed', 'closed'])

/** Whether the pieces of a return cannot be the subject of another one. Those that were sent back belong to the order that brings them. */
export function holdsPieces({
  state,
  isSettled,
  replacementOrder,
}: Pick<ReturnRequest, 'state' | 'isSettled' | 'replacementOrder'>): boolean {
  return isSettled || replacementOrder !== null || !withoutPieces.has(state)
}

export function canReturnStep(from: ReturnState, to: ReturnState, actor: ReturnActor): boolean {
  return returnSteps.some((step) => step.from === from && step.to === to && step.actors.includes(actor))
}

/** Whether the buyer may report that the goods are handed over; a driver reports that himself. */
export function canHandOver({ state, hasCollection }: Pick<ReturnRequest, 'state' | 'hasCollection'>): boolean {
  return !hasCollection && canReturnStep(state, 'in-transit', 'buyer')
}

/**
 * When the seller may pay less than the price of the goods: the part that the buyer named; after an inspection, as goods are taken back that
 * nothing is wrong with (2011/83/EU art. 14(2)); or never, as a lower price for faulty goods is the buyer's to choose (2019/771/EU
 * art. 13).
 */
export function deductionAllowed({ basis, wish }: Pick<ReturnRequest, 'basis' | 'wish'>): 'as-wished' | 'after-inspection' | 'never' {
  if (wish === 'part-refund') return 'as-wished'
  return basis === 'guarantee' ? 'never' : 'after-inspection'
}

export const findings = ['as-described', 'used', 'incomplete', 'other-goods'] as const
export type Finding = (typeof findings)[number]

/** Goods from which a consumer cannot withdraw. Source: 2011/83/EU art. 16 (c)…(f), (i). */
export const exceptions = ['made-to-order', 'perishable', 'unsealed-hygiene', 'mixed', 'unsealed-media'] as const
export type WithdrawalException = (typeof exceptions)[number]

/** Those of which the goods need not be seen. */
const byNature: ReadonlySet<WithdrawalException> = new Set(['made-to-order', 'perishable'])

/** Whether a seller may refuse the withdrawal now: before the goods come back by their nature, otherwise after an inspection. */
export function canExcept(state: ReturnState, exception: WithdrawalException): boolean {
  return state === 'inspected' || (state === 'label-sent' && byNature.has(exception))
}

export interface ReturnRequest {
  id: string
  number: string
  customerOrderId: string
  sellerOrderId: string
  sellerId: number
  market: Market
  reason: ReturnReason
  basis: 'withdrawal' | 'guarantee' | 'policy'
  wish: ReturnWish
  /** Requested partial refund, minor units; null for other wishes and for requests of earlier releases. */
  wishedAmount: number | null
  method: 'label' | 'home-collection' | 'keep'
  /** Whether a driver collects the goods: also where that was the method, there is none if the shop had no carrier. */
  hasCollection: boolean
  state: ReturnState
  lines: { offerId: string; quantity: number }[]
  description: string
  photos: string[]
  finding: Finding | null
  /** The reason a withdrawal was refused. */
  exception: WithdrawalException | null
  decisionNote: string | null
  rating: number | null
  /** Refunded or exchanged, also if it was closed afterwards. */
  isSettled: boolean
  /** The goods were on their way back, or with the seller. */
  wasHandedOver: boolean
  /** On their way back by a report of the carrier, which proves that they were sent, not by their buyer's word alone. */
  isCarried: boolean
  requestedAt: Date
  updatedAt: Date
  /** Of the shop's carrier, once it is booked. */
  labelFile: string | null
  trackingNumber: string | null
  /** Labels before this one, whose parcels the carrier has brought back. */
  labelRound: number
  /** The order that replaces the goods or brings them back. */
  replacementOrder: string | null
}
