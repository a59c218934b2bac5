import type { ProSubscriptionFragment } from '../generated/documents.ts'

/** The period in the words of the catalogue. */
export const periodWords = { YEARLY: 'yearly', MONTHLY: 'other' } as const
export const stateWords = { INCOMPLETE: 'other', TRIALING: 'trialing', ACTIVE: 'active', PAST_DUE: 'due', ENDED: 'ended' } as const
export const endWords = { CANCELLED: 'other', UNPAID: 'unpaid', WITHDRAWN: 'withdrawn' } as const

/** Whether a company has a subscription with a card. */
export function isLive({ state }: Pick<ProSubscriptionFragment, 'state'>): boolean {
  return state === 'TRIALING' || state === 'ACTIVE' || state === 'PAST_DUE'
}
