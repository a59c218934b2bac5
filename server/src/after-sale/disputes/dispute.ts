import type { Market } from '@purlin/contract/markets.ts'
import { noOrderId } from '#orders'

export const disputeReasons = ['not-received', 'damaged', 'not-as-described', 'incomplete', 'refund-missing', 'other'] as const
export type DisputeReason = (typeof disputeReasons)[number]

/** A replacement or a repair has no amount: if it comes to a decision, the operator may decide on money. */
export const disputeWishes = ['refund', 'part-refund', 'replacement', 'repair'] as const
export type DisputeWish = (typeof disputeWishes)[number]

export const disputeStates = ['open', 'offered', 'mediation', 'decided', 'appealed', 'settled', 'closed', 'withdrawn'] as const
export type DisputeState = (typeof disputeStates)[number]

export const disputeActors = ['buyer', 'seller', 'operator', 'system'] as const
export type DisputeActor = (typeof disputeActors)[number]

export const disputeActions = [
  'open',
  'add',
  'offer',
  'agree',
  'contest',
  'accept',
  'refuse',
  'withdraw',
  'decide',
  'appeal',
  'escalate',
  'finish',
] as const
export type DisputeAction = (typeof disputeActions)[number]

interface Move {
  from: DisputeState
  action: Exclude<DisputeAction, 'open'>
  to: DisputeState
  actors: readonly DisputeActor[]
}

/** Every move of a dispute. */
export const disputeMoves: readonly Move[] = [
  { from: 'open', action: 'add', to: 'open', actors: ['buyer', 'seller'] },
  { from: 'open', action: 'offer', to: 'offered', actors: ['seller'] },
  { from: 'open', action: 'agree', to: 'settled', actors: ['seller'] },
  { from: 'open', action: 'contest', to: 'mediation', actors: ['seller'] },
  { from: 'open', action: 'withdraw', to: 'withdrawn', actors: ['buyer'] },
  // The seller's silence does not hold it up.
  { from: 'open', action: 'escalate', to: 'mediation', actors: ['system'] },
  { from: 'offered', action: 'add', to: 'offered', actors: ['buyer', 'seller'] },
  { from: 'offered', action: 'accept', to: 'settled', actors: ['buyer'] },
  { from: 'offered', action: 'refuse', to: 'mediation', actors: ['buyer'] },
  { from: 'offered', action: 'withdraw', to: 'withdrawn', actors: ['buyer'] },
  // Silence neither accepts nor refuses an offer: the operator decides.
  { from: 'offered', action: 'escalate', to: 'mediation', actors: ['system'] },
  { from: 'mediation', action: 'add', to: 'mediation', actors: ['buyer', 'seller'] },
  { from: 'mediation', action: 'withdraw', to: 'withdrawn', actors: ['buyer'] },
  { from: 'mediation', action: 'decide', to: 'decided', actors: ['operator'] },
  { from: 'decided', action: 'appeal', to: 'appealed', actors: ['buyer', 'seller'] },
  { from: 'decided', action: 'finish', to: 'closed', actors: ['system'] },
  { from: 'appealed', action: 'add', to: 'appealed', actors: ['buyer', 'seller'] },
  // The second decision is final.
  { from: 'appealed', action: 'decide', to: 'closed', actors: ['operator'] },
]

/** The state after a move; null if the table does not allow it. */
export function stateAfter(from: DisputeState, action: DisputeAction, actor: DisputeActor): DisputeState | null {
  return disputeMoves.find((move) => move.from === from && move.action === action && move.actors.includes(actor))?.to ?? null
}

/** What a party may do now. */
export function movesOf(state: DisputeState, actor: DisputeActor): DisputeAction[] {
  return disputeMoves.filter((move) => move.from === state && move.actors.includes(actor)).map(({ action }) => action)
}

/** Working days of the market for the next move; null for a state that ends the dispute. */
export const dueDays: Record<DisputeState, number | null> = {
  open: 3,
  offered: 5,
  mediation: 10,
  decided: 5,
  appealed: 10,
  settled: null,
  closed: null,
  withdrawn: null,
}

/** What the passing of a deadline does; in mediation and appeal the operator is reminded. */
export const onDeadline: Partial<Record<DisputeState, 'escalate' | 'finish'>> = { open: 'escalate', offered: 'escalate', decided: 'finish' }

export interface Dispute {
  id: string
  number: string
  messageId: string
  sellerOrderId: string
  customerOrderId: string
  sellerId: number
  market: Market
  reason: DisputeReason
  wish: DisputeWish
  state: DisputeState
  wanted: number
  offered: number | null
  decided: number | null
  dueAt: Date | null
  openedAt: Date
  endedAt: Date | null
  refundId: string | null
}

export interface DisputeStep {
  position: number
  actor: DisputeActor
  action: DisputeAction
  note: string
  amount: number | null
  files: { id: string; name: string }[]
  at: Date
}

export const disputeLimits = { note: 2_000, files: 5, steps: 100, notesPerHour: 10, ofSellerOrder: 10 }

/** Wholly and partly missing goods are one subject. */
const subjectOf = (reason: DisputeReason): DisputeReason => (reason === 'incomplete' ? 'not-received' : reason)

/**
 * Whether another dispute may follow earlier ones about a seller order. A decision is final: about its subject only once goods have
 * arrived or got lost that it did not know of.
 */
export function mayFollow(
  reason: DisputeReason,
  earlier: readonly Pick<Dispute, 'reason' | 'state' | 'endedAt'>[],
  moves: readonly { to: string; at: Date }[],
): boolean {
  if (earlier.length >= disputeLimits.ofSellerOrder) return false
  const decided = earlier.findLast(({ state, ...about }) => state === 'closed' && subjectOf(about.reason) === subjectOf(reason))
  const since = decided?.endedAt
  return !since || moves.some(({ to, at }) => (to === 'delivered' || to === 'incident-open') && at > since)
}

/** No order has this id. */
export const unknownOrder = `${noOrderId}-0`
