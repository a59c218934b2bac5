export type DebitState = 'announced' | 'submitted' | 'settled' | 'returned' | 'dropped'

/** The direct debit of a statement. Amounts in minor units. */
export interface Debit {
  statementId: string
  mandateId: string
  /** As announced. */
  amount: number
  /** YYYY-MM-DD */
  collectOn: string
  state: DebitState
  /** Null until the provider has responded. */
  collected: number | null
  reason: string | null
}

/** A debit that was collected can still be returned: for eight weeks the debtor's bank refunds it on demand. */
const steps: Record<DebitState, readonly DebitState[]> = {
  announced: ['submitted', 'dropped'],
  submitted: ['settled', 'returned', 'dropped'],
  settled: ['returned'],
  returned: [],
  dropped: [],
}

export const canMove = (from: DebitState, to: DebitState): boolean => steps[from].includes(to)

export type DebitReason = 'funds' | 'account' | 'mandate' | 'refunded' | 'ended' | 'nothing' | 'other'

const reasons: Readonly<Record<string, DebitReason>> = {
  AM04: 'funds',
  AC01: 'account',
  AC04: 'account',
  AC06: 'account',
  MD01: 'mandate',
  MD06: 'refunded',
  'mandate-ended': 'ended',
  'nothing-open': 'nothing',
}

/** The bank's code of a return, or the reason a debit was dropped, in terms people know. */
export const debitReason = (code: string): DebitReason => reasons[code] ?? 'other'
