import type { OfferStatus } from './product.ts'

/** The actor that moves an offer: the staff and programs of its seller, or an operator. */
export type OfferActor = 'seller' | 'operator'

/**
 * Steps of an offer. A seller submits a draft, pauses, resumes and ends; an operator matches it to its product, suspends it and
 * lifts the suspension, which its seller cannot. Ended offers stay ended. Source: R-486.
 */
const steps: Record<OfferActor, Partial<Record<OfferStatus, readonly OfferStatus[]>>> = {
  seller: {
    draft: ['pending_match', 'ended'],
    pending_match: ['draft', 'ended'],
    active: ['paused', 'ended'],
    paused: ['active', 'ended'],
    suspended: ['ended'],
  },
  operator: {
    pending_match: ['draft', 'active', 'suspended', 'ended'],
    active: ['suspended', 'ended'],
    paused: ['suspended', 'ended'],
    suspended: ['active', 'paused', 'ended'],
  },
}

export function mayMoveOffer(actor: OfferActor, from: OfferStatus, to: OfferStatus): boolean {
  return steps[actor][from]?.includes(to) ?? false
}

export type OfferState = OfferStatus | 'out_of_stock'

/** Out of stock is not a status of its own: an active offer is, while less than one pack is left. */
export function offerState({ status, stock, bulk }: { status: OfferStatus; stock: number; bulk: number | null }): OfferState {
  return status === 'active' && stock < (bulk ?? 1) ? 'out_of_stock' : status
}
