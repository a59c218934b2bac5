import type { ProSubscriptionFragment, SubscriptionPlanFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'

/** The period in the words of the catalogue. */
export const periodWords = { YEARLY: 'yearly', MONTHLY: 'other' } as const
export const stateWords = { INCOMPLETE: 'other', TRIALING: 'trialing', ACTIVE: 'active', PAST_DUE: 'due', ENDED: 'ended' } as const
export const endWords = { CANCELLED: 'other', UNPAID: 'unpaid', WITHDRAWN: 'withdrawn' } as const

/** Whether the first period is free, and why not. */
export function trialWords(
  { hasTrial, awaitsConfirmation }: Pick<ProSubscriptionFragment, 'hasTrial' | 'awaitsConfirmation'>,
  { trialDays: days }: Pick<SubscriptionPlanFragment, 'trialDays'>,
  t: ShopContext['t'],
): string {
  if (hasTrial) return t('subscription.trial', { days })
  return awaitsConfirmation ? t('subscription.trial-unconfirmed', { days }) : t('subscription.no-trial')
}

/** Whether a price is with VAT, and the reason if it is not. */
export function vatWords(plan: Pick<SubscriptionPlanFragment, 'vatTreatment'> | undefined) {
  return ({ CHARGED: 'other', REVERSE_CHARGE: 'reverse', OUTSIDE_SCOPE: 'outside' } as const)[plan?.vatTreatment ?? 'CHARGED']
}

/** Whether a company has a subscription with a card. */
export function isLive({ state }: Pick<ProSubscriptionFragment, 'state'>): boolean {
  return state === 'TRIALING' || state === 'ACTIVE' || state === 'PAST_DUE'
}
