import type { Currency, Market, Mode } from '@purlin/contract/markets.ts'

export const paymentStates = [
  'initiated',
  'action-required',
  'authorised',
  'captured',
  'failed',
  'expired',
  'voided',
  'part-refunded',
  'refunded',
] as const
export type PaymentState = (typeof paymentStates)[number]

/** Exhaustive: a new state does not compile until it is listed. */
const captured: Record<PaymentState, boolean> = {
  initiated: false,
  'action-required': false,
  authorised: false,
  captured: true,
  failed: false,
  expired: false,
  voided: false,
  'part-refunded': true,
  refunded: true,
}

/** Whether the money was taken, regardless of later refunds. */
export function isCaptured(state: PaymentState): boolean {
  return captured[state]
}

export const paymentMethods = ['card', 'invoice'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** Wallets and credits of the payment provider, which pay in place of a card. */
export const paymentWays = ['apple-pay', 'google-pay', 'paypal', 'klarna', 'three-parts'] as const
export type PaymentWay = (typeof paymentWays)[number]

export interface Payment {
  id: string
  customerOrderId: string
  /** The account that pays; null for guests. */
  customerId: string | null
  /** The company that pays by invoice; null for cards. */
  companyId: string | null
  placement: number
  provider: string
  state: PaymentState
  amount: number
  currency: Currency
  market: Market
  mode: Mode
  /** Scheme and host of the shop on which the buyer ordered. */
  origin: string
  method: PaymentMethod
  captured: number
  refunded: number
  /** Refunds that failed after they were made. */
  refundsReturned?: number
  providerReference: string | null
  frameUrl: string | null
  failureCode: string | null
  /** Number of cards authorised for it. */
  authorisations: number
  cardBrand: string | null
  cardLast4: string | null
  /** The wallet or credit that paid; null for cards and invoices. */
  paidWith: PaymentWay | null
  abandoned: 'expired' | 'voided' | null
}

/**
 * Every transition of a payment. Messages arrive twice, late and out of order: a transition that is not in this table is
 * recorded and changes nothing. Source: R-483, design rule 5.
 */
const paymentSteps: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  initiated: ['action-required', 'authorised', 'captured', 'failed', 'expired', 'voided'],
  'action-required': ['authorised', 'captured', 'failed', 'expired', 'voided'],
  // Another card can be tried for the same payment.
  failed: ['action-required', 'authorised', 'captured', 'expired', 'voided'],
  authorised: ['captured', 'failed', 'expired', 'voided'],
  captured: ['part-refunded', 'refunded'],
  // Refunds by line arrive one after another.
  'part-refunded': ['part-refunded', 'refunded'],
  // Money that arrives for an abandoned payment is recorded, booked and refunded.
  expired: ['captured'],
  voided: ['captured'],
  refunded: [],
}

/** Cause of the steps by which money comes back whose refund has failed: no message of a payment's state makes them. */
export const refundReturned = 'refund-returned'
const stepsOfReturned: Partial<Record<PaymentState, readonly PaymentState[]>> = {
  refunded: ['part-refunded', 'captured'],
  'part-refunded': ['part-refunded', 'captured'],
}

/** Whether a step may be in a payment's history, made by a message or by a refund that has failed. */
export function isStepOfHistory(from: PaymentState, to: PaymentState, cause: string): boolean {
  return cause === refundReturned ? (stepsOfReturned[from]?.includes(to) ?? false) : canStep(from, to)
}

export function canStep(from: PaymentState, to: PaymentState): boolean {
  return paymentSteps[from].includes(to)
}

/** Fields of a payment that determine its next transition. */
export type KnownPayment = Pick<
  Payment,
  | 'id'
  | 'customerOrderId'
  | 'customerId'
  | 'placement'
  | 'provider'
  | 'state'
  | 'amount'
  | 'currency'
  | 'captured'
  | 'refunded'
  | 'refundsReturned'
  | 'providerReference'
  | 'failureCode'
  | 'authorisations'
  | 'abandoned'
>

/** Reason a card, a wallet or a credit was refused, in the detail that a buyer is shown. */
export const failureCodes = [
  'declined',
  'insufficient-funds',
  'expired-card',
  'wrong-code',
  'lost-card',
  'authentication-failed',
  'capture-declined',
  'unavailable',
  'credit-declined',
  'credit-limit',
  'credit-unknown-company',
  'not-confirmed',
  'credit-refused',
] as const
export type FailureCode = (typeof failureCodes)[number]

export function asFailureCode(code: unknown): FailureCode {
  return (failureCodes as readonly unknown[]).includes(code) ? (code as FailureCode) : 'declined'
}
