import type { Currency, Market } from '@purlin/contract/markets.ts'
import type { RefundLine } from './refund-rule.ts'

export const refundCauses = ['cancellation', 'withdrawal', 'return', 'dispute', 'goodwill', 'lost'] as const
export type RefundCause = (typeof refundCauses)[number]

/** `iban-needed`: the card does not take it. `on-hold`: an operator decides, as provider and shop disagree, or a bank about a chargeback. */
export const refundStates = ['requested', 'iban-needed', 'transferring', 'on-hold', 'done', 'not-owed'] as const
export type RefundState = (typeof refundStates)[number]

/** The reason of a refund that waits because the payment is charged back. */
export const disputedCode = 'charge_disputed'
/** The same as the providers have it: refused, or returned after it was made. */
export const disputedCodes: readonly string[] = [disputedCode, 'charge_for_pending_refund_disputed']

/** The operator's bank makes this transfer, or has made it: the provider makes none. */
export const byHandCode = 'transfers_unsupported'

/** Every transition of a refund. */
export const refundSteps: Readonly<Record<RefundState, readonly RefundState[]>> = {
  requested: ['done', 'iban-needed', 'on-hold'],
  // Money that the buyer's bank takes back is not transferred as well; once it has, it counts as the refund.
  'iban-needed': ['transferring', 'on-hold', 'done'],
  transferring: ['done', 'iban-needed', 'on-hold'],
  'on-hold': ['done', 'requested', 'not-owed'],
  // A bank may return the money days later.
  done: ['iban-needed', 'on-hold'],
  'not-owed': [],
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
  /** The part of the amount that the buyer's bank has given back by a chargeback. */
  setOff: number
  currency: Currency
  market: Market
  bornBy: 'seller' | 'marketplace'
  /** Last four characters of the account it goes to; null: to the card. */
  ibanEnd: string | null
  /** How many accounts the buyer has given, and transfers the operator has confirmed: the number of the last transfer. */
  transfers: number
  /** The reason for the last step that was not a payment. */
  failureCode: string | null
  requestedAt: Date
  doneAt: Date | null
  lines: RefundLine[]
}

/** What the shop owes of a refund that is open, or has paid of one that is done: its amount without what a chargeback has paid. Minor units. */
export function owedOf({ amount, setOff }: Pick<Refund, 'amount' | 'setOff'>): number {
  return amount - setOff
}
