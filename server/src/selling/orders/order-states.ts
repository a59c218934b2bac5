/** The actor of a transition. */
export type Actor = 'buyer' | 'seller' | 'system' | 'provider'

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

/** Every transition of a customer order. Source: R-481. */
export const customerOrderSteps: readonly Step<CustomerOrderState>[] = [
  { from: 'draft', to: 'awaiting-payment', actors: ['buyer'] },
  { from: 'draft', to: 'cancelled', actors: ['system', 'buyer'] },
  // The buyer changes the order while nothing is authorised.
  { from: 'awaiting-payment', to: 'draft', actors: ['buyer'] },
  { from: 'awaiting-payment', to: 'authorised', actors: ['provider'] },
  // The capture message may arrive before the authorisation message.
  { from: 'awaiting-payment', to: 'paid', actors: ['provider'] },
  { from: 'awaiting-payment', to: 'cancelled', actors: ['system', 'buyer'] },
  { from: 'authorised', to: 'paid', actors: ['provider'] },
  // The capture was declined: another card may be tried while the hold lasts.
  { from: 'authorised', to: 'awaiting-payment', actors: ['provider'] },
  { from: 'authorised', to: 'cancelled', actors: ['system', 'provider'] },
  { from: 'paid', to: 'part-shipped', actors: ['seller'] },
  { from: 'paid', to: 'shipped', actors: ['seller'] },
  { from: 'paid', to: 'cancelled', actors: ['buyer', 'seller', 'system'] },
  { from: 'paid', to: 'part-refunded', actors: ['seller', 'system'] },
  { from: 'paid', to: 'refunded', actors: ['seller', 'system'] },
  { from: 'part-shipped', to: 'shipped', actors: ['seller'] },
  { from: 'part-shipped', to: 'part-refunded', actors: ['seller', 'system'] },
  { from: 'shipped', to: 'delivered', actors: ['seller', 'system'] },
  { from: 'shipped', to: 'part-refunded', actors: ['seller', 'system'] },
  { from: 'shipped', to: 'refunded', actors: ['seller', 'system'] },
  { from: 'delivered', to: 'closed', actors: ['system'] },
  { from: 'delivered', to: 'part-refunded', actors: ['seller', 'system'] },
  { from: 'delivered', to: 'refunded', actors: ['seller', 'system'] },
  { from: 'part-refunded', to: 'refunded', actors: ['seller', 'system'] },
  { from: 'part-refunded', to: 'closed', actors: ['system'] },
  { from: 'cancelled', to: 'refunded', actors: ['system'] },
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

/** Every transition of a seller order. Source: R-482. */
export const sellerOrderSteps: readonly Step<SellerOrderState>[] = [
  { from: 'awaiting-payment', to: 'pending', actors: ['provider'] },
  { from: 'awaiting-payment', to: 'cancelled', actors: ['system', 'buyer'] },
  { from: 'pending', to: 'accepted', actors: ['seller'] },
  { from: 'pending', to: 'refused', actors: ['seller'] },
  { from: 'pending', to: 'cancelled', actors: ['buyer', 'system'] },
  { from: 'accepted', to: 'preparing', actors: ['seller'] },
  { from: 'accepted', to: 'cancelled', actors: ['seller', 'buyer'] },
  { from: 'preparing', to: 'shipped', actors: ['seller'] },
  { from: 'preparing', to: 'cancelled', actors: ['seller'] },
  { from: 'shipped', to: 'delivered', actors: ['seller', 'system'] },
  { from: 'shipped', to: 'incident-open', actors: ['buyer'] },
  { from: 'delivered', to: 'incident-open', actors: ['buyer'] },
  { from: 'delivered', to: 'closed', actors: ['system'] },
  { from: 'incident-open', to: 'closed', actors: ['seller', 'system'] },
  { from: 'incident-open', to: 'delivered', actors: ['seller'] },
]

/** States from which this actor may move to `to`; empty if there are none. */
export function statesBefore<State extends string>(steps: readonly Step<State>[], to: State, actor: Actor): State[] {
  return steps.filter((step) => step.to === to && step.actors.includes(actor)).map(({ from }) => from)
}
