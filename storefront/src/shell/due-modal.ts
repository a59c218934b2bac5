import type { AuthState } from '../session/auth-state.ts'

/** Modals of the professional storefront; each is named after the segment that records it as read. */
export const proModals = ['b2b_welcome', 'b2b_vat_modal'] as const
export type ProModal = (typeof proModals)[number]

/**
 * The modal a professional has still to read, if this page has it; those who have bought know the shop and need no welcome. Nobody else sees one, and without segments there is
 * none: a modal that cannot be remembered as read would come back with every page.
 */
export function dueModal({ isB2B, segments }: Pick<AuthState, 'isB2B' | 'segments'>, onPage: readonly string[]): ProModal | null {
  if (!isB2B || !segments) return null
  const hasBought = segments.buy_number_cluster !== 'PROSPECTS'
  return proModals.find((name) => onPage.includes(name) && !segments[name] && !(name === 'b2b_welcome' && hasBought)) ?? null
}
