import type { TaxKey } from '@purlin/contract/money.ts'
import type { QuoteState } from '../generated/documents.ts'

const cases = {
  REQUESTED: 'requested',
  ANSWERED: 'answered',
  REFUSED: 'refused',
  DECLINED: 'declined',
  WITHDRAWN: 'withdrawn',
  EXPIRED: 'expired',
  ACCEPTED: 'accepted',
  ORDERED: 'other',
} as const satisfies Record<QuoteState, string>

/** The state as the case of a message. */
export function stateCase(state: QuoteState): (typeof cases)[QuoteState] {
  return cases[state]
}

/** The colour of the state, as a class of the account. */
export const tones = {
  REQUESTED: 'waits',
  ANSWERED: 'runs',
  REFUSED: 'refused',
  DECLINED: 'ended',
  WITHDRAWN: 'ended',
  EXPIRED: 'ended',
  ACCEPTED: 'done',
  ORDERED: 'done',
} as const satisfies Record<QuoteState, string>

/** The tax mode of amounts as the case of a message. */
export function taxCase(taxKey: TaxKey): 'net' | 'other' {
  return taxKey === 'without_vat' ? 'net' : 'other'
}
