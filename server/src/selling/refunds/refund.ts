import type { Currency, Market } from '@purlin/contract/markets.ts'
import type { RefundLine } from './refund-rule.ts'

export const refundCauses = ['cancellation', 'withdrawal', 'return', 'dispute', 'goodwill', 'lost'] as const
export type RefundCause = (typeof refundCauses)[number]

/** `iban-needed`: the card does not take it. `on-hold`: an operator decides, as provider and shop disagree or the buyer charged back. */
export const refundStates = ['requested', 'iban-needed', 'transferring', 'on-hold', 'done'] as const
export type RefundState = (typeof refundStates)[number]

/** Every transition of a refund. */
export const refundSteps: Readonly<Record<RefundState, readonly RefundState[]>> = {
  requested: ['done', 'iban-needed', 'on-hold'],
  'iban-needed': ['transferring'],
  transferring: ['done', 'iban-needed'],
  'on-hold': ['done'],
  // A bank may return the money days later.
  done: ['iban-needed', 'on-hold'],
}

/** Money that goes back to a buyer. Amounts in minor units with VAT. */
export interface Refund {
  id: string
  /** Quoted in mails and bank transfers. */
  number: string
  customerOrderId: string
  sellerOrderId: string
  paymentId: string
  cause: RefundCause
  state: RefundState
  amount: number
  currency: Currency
  market: Market
  bornBy: 'seller' | 'marketplace'
  /** Last four characters of the account it goes to; null: to the card. */
  ibanEnd: string | null
  /** How many accounts the buyer has given. */
  transfers: number
  requestedAt: Date
  doneAt: Date | null
  lines: RefundLine[]
}
