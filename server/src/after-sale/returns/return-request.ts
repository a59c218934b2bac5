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
  // A seller may settle without waiting for the goods.
  { from: 'label-sent', to: 'refunded', actors: ['seller'] },
  { from: 'in-transit', to: 'received', actors: ['seller'] },
  { from: 'in-transit', to: 'refunded', actors: ['seller'] },
  { from: 'received', to: 'inspected', actors: ['seller'] },
  { from: 'inspected', to: 'refunded', actors: ['seller'] },
  { from: 'inspected', to: 'exchanged', actors: ['seller'] },
  { from: 'inspected', to: 'refused', actors: ['seller'] },
  { from: 'refunded', to: 'closed', actors: ['system', 'buyer'] },
  { from: 'exchanged', to: 'closed', actors: ['system', 'buyer'] },
  { from: 'refused', to: 'closed', actors: ['system', 'buyer'] },
]

export function canReturnStep(from: ReturnState, to: ReturnState, actor: ReturnActor): boolean {
  return returnSteps.some((step) => step.from === from && step.to === to && step.actors.includes(actor))
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
  method: 'label' | 'home-collection' | 'keep'
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
  requestedAt: Date
  updatedAt: Date
  /** Of the shop's carrier, once it is booked. */
  labelFile: string | null
  trackingNumber: string | null
  /** The order that replaces the goods. */
  replacementOrder: string | null
}
