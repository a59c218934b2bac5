/** The actor of a transition. */
export type Actor = 'buyer' | 'seller' | 'system' | 'provider' | 'carrier' | 'operator'

interface Step<State extends string> {
  from: State
  to: State
  actors: readonly Actor[]
}

export const customerOrderStates = [
  'draft',
  'awaiting-payment',
  'authorised',
  'paid',
  'part-shipped',
  'shipped',
  'delivered',
  'closed',
  'cancelled',
  'part-refunded',
  'refunded',
] as const
export type CustomerOrderState = (typeof customerOrderStates)[number]

/** Exhaustive: a new state does not compile until it is listed. */
const paid: Record<CustomerOrderState, boolean> = {
  draft: false,
  'awaiting-payment': false,
  authorised: true,
  paid: true,
  'part-shipped': true,
  shipped: true,
  delivered: true,
  closed: true,
  cancelled: false,
  'part-refunded': true,
  refunded: true,
}

/** Whether the money has arrived or is authorised. */
export function isPaid(state: CustomerOrderState): boolean {
  return paid[state]
}

/**
 * Every transition of a customer order's own state, which follows its payment. From paid on the state shown is derived
 * from the moves of its lines (`stateOfPaidOrder`). Source: R-481.
 */
export const customerOrderSteps: readonly Step<CustomerOrderState>[] = [
  { from: 'draft', to: 'awaiting-payment', actors: ['buyer'] },
  { from: 'draft', to: 'cancelled', actors: ['system', 'buyer'] },
  // The buyer changes the order while nothing is authorised; what was approved outlives its hold.
  { from: 'awaiting-payment', to: 'draft', actors: ['buyer', 'system'] },
  { from: 'awaiting-payment', to: 'authorised', actors: ['provider'] },
  // The capture message may arrive before the authorisation message.
  { from: 'awaiting-payment', to: 'paid', actors: ['provider'] },
  { from: 'awaiting-payment', to: 'cancelled', actors: ['system', 'buyer'] },
  { from: 'authorised', to: 'paid', actors: ['provider'] },
  // The capture was declined: another card may be tried while the hold lasts.
  { from: 'authorised', to: 'awaiting-payment', actors: ['provider'] },
  { from: 'authorised', to: 'cancelled', actors: ['system', 'provider'] },
  { from: 'paid', to: 'refunded', actors: ['seller', 'system'] },
  // Orders of earlier releases, which stored these states.
  { from: 'shipped', to: 'refunded', actors: ['seller', 'system'] },
  { from: 'delivered', to: 'refunded', actors: ['seller', 'system'] },
  { from: 'part-refunded', to: 'refunded', actors: ['seller', 'system'] },
  { from: 'cancelled', to: 'refunded', actors: ['system'] },
  // A refund failed after it was made.
  { from: 'refunded', to: 'paid', actors: ['system'] },
]

export const sellerOrderStates = [
  'awaiting-payment',
  'pending',
  'accepted',
  'refused',
  'preparing',
  'shipped',
  'delivered',
  'incident-open',
  'closed',
  'cancelled',
] as const
export type SellerOrderState = (typeof sellerOrderStates)[number]

/** Every move of the pieces of a line after payment, with its actors. Source: R-482. */
export const sellerOrderSteps: readonly Step<SellerOrderState>[] = [
  { from: 'pending', to: 'accepted', actors: ['seller', 'operator'] },
  { from: 'pending', to: 'refused', actors: ['seller'] },
  { from: 'pending', to: 'cancelled', actors: ['buyer', 'operator', 'system'] },
  // In a parcel with a label that the carrier has not collected yet.
  { from: 'accepted', to: 'preparing', actors: ['seller'] },
  { from: 'accepted', to: 'shipped', actors: ['seller'] },
  // A buyer's request to cancel what is accepted is the seller's to grant.
  { from: 'accepted', to: 'cancelled', actors: ['seller', 'operator', 'system'] },
  { from: 'preparing', to: 'accepted', actors: ['seller'] },
  { from: 'preparing', to: 'shipped', actors: ['seller', 'carrier'] },
  { from: 'preparing', to: 'cancelled', actors: ['seller', 'operator', 'system'] },
  { from: 'shipped', to: 'delivered', actors: ['seller', 'carrier', 'operator', 'system'] },
  { from: 'shipped', to: 'incident-open', actors: ['buyer', 'carrier', 'system'] },
  { from: 'delivered', to: 'incident-open', actors: ['buyer'] },
  { from: 'delivered', to: 'closed', actors: ['system'] },
  { from: 'incident-open', to: 'delivered', actors: ['seller', 'carrier', 'operator'] },
  // The seller sends the pieces again.
  { from: 'incident-open', to: 'accepted', actors: ['seller', 'operator'] },
  { from: 'incident-open', to: 'closed', actors: ['seller', 'operator', 'system'] },
]

/** States from which this actor may move to `to`; empty if there are none. */
export function statesBefore<State extends string>(steps: readonly Step<State>[], to: State, actor: Actor): State[] {
  return steps.filter((step) => step.to === to && step.actors.includes(actor)).map(({ from }) => from)
}
