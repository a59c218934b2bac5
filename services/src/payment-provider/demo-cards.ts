import type { Brand } from './card-number.ts'

/** The behaviour of each test number; any later expiry and any code will do, unless stated otherwise. */
export interface TestCard {
  number: string
  brand: Brand
  /** Description on the provider's pages; the table in the README is maintained by hand. */
  shows: string
  behaviour:
    | { kind: 'approve'; authentication: 'none' | 'frictionless' }
    /** The bank issues a challenge, to be answered with `challengeCode`. */
    | { kind: 'challenge' }
    /** The bank issues a challenge and never receives the answer. */
    | { kind: 'abandon' }
    | { kind: 'decline'; reason: DeclineReason }
  /** Delivery of its messages: 10 s late, three times each, in the wrong order, or not at all. */
  messages?: 'slow' | 'twice' | 'reordered' | 'lost'
  /** Authorised, but the capture is declined. */
  captureDeclined?: boolean
  /** Its bank refuses refunds. */
  refundDeclined?: boolean
  /** Its owner has the bank take back each payment (a chargeback), and how that ends: nothing more can be refunded, unless it is won. */
  chargedBack?: ChargebackEnd
}

/** `open`: the bank never decides. The shop wins or loses. */
export type ChargebackEnd = 'open' | 'won' | 'lost'

export type DeclineReason =
  | 'declined'
  | 'insufficient-funds'
  | 'expired-card'
  | 'wrong-code'
  | 'lost-card'
  | 'authentication-failed'
  | 'unavailable'
  /** Of a wallet or credit: its owner did not confirm, or it was not granted. */
  | 'not-confirmed'
  | 'credit-refused'

/** The code that the bank's page accepts. */
export const challengeCode = '123456'

const approve = { kind: 'approve', authentication: 'none' } as const
const decline = (reason: DeclineReason) => ({ kind: 'decline', reason }) as const

/** All numbers the embedded provider accepts. Any other is refused: real cards must not be entered here. */
export const testCards: readonly TestCard[] = [
  { number: '4000000000000002', brand: 'visa', shows: 'Approved', behaviour: approve },
  { number: '5200000000000007', brand: 'mastercard', shows: 'Approved', behaviour: approve },
  {
    number: '4000000000000010',
    brand: 'visa',
    shows: 'Approved, 3-D Secure without a question',
    behaviour: { kind: 'approve', authentication: 'frictionless' },
  },
  { number: '4000000000000028', brand: 'visa', shows: `3-D Secure asks for a code: ${challengeCode}`, behaviour: { kind: 'challenge' } },
  {
    number: '5200000000000023',
    brand: 'mastercard',
    shows: `3-D Secure asks for a code: ${challengeCode}`,
    behaviour: { kind: 'challenge' },
  },
  { number: '4000000000000036', brand: 'visa', shows: '3-D Secure fails', behaviour: decline('authentication-failed') },
  { number: '4000000000000044', brand: 'visa', shows: '3-D Secure never comes back', behaviour: { kind: 'abandon' } },
  { number: '4000000000000101', brand: 'visa', shows: 'Declined', behaviour: decline('declined') },
  { number: '4000000000000119', brand: 'visa', shows: 'Declined: not enough money', behaviour: decline('insufficient-funds') },
  { number: '4000000000000127', brand: 'visa', shows: 'Declined: card expired', behaviour: decline('expired-card') },
  { number: '4000000000000135', brand: 'visa', shows: 'Declined: wrong security code', behaviour: decline('wrong-code') },
  { number: '4000000000000143', brand: 'visa', shows: 'Declined: lost card', behaviour: decline('lost-card') },
  { number: '4000000000000150', brand: 'visa', shows: 'Declined: bank not reachable', behaviour: decline('unavailable') },
  { number: '4000000000000168', brand: 'visa', shows: 'Approved, declined when captured', behaviour: approve, captureDeclined: true },
  {
    number: '4000000000000176',
    brand: 'visa',
    shows: 'Approved, refunds are refused by the bank',
    behaviour: approve,
    refundDeclined: true,
  },
  {
    number: '4000000000000184',
    brand: 'visa',
    shows: 'Approved, then charged back by its owner: refunds are refused',
    behaviour: approve,
    chargedBack: 'open',
  },
  {
    number: '4000000000000192',
    brand: 'visa',
    shows: 'Approved, then charged back by its owner, for whom the bank decides after a minute',
    behaviour: approve,
    chargedBack: 'lost',
  },
  {
    number: '4000000000000242',
    brand: 'visa',
    shows: 'Approved, then charged back by its owner, against whom the bank decides after a minute',
    behaviour: approve,
    chargedBack: 'won',
  },
  { number: '4000000000000200', brand: 'visa', shows: 'Approved, messages 10 s late', behaviour: approve, messages: 'slow' },
  { number: '4000000000000218', brand: 'visa', shows: 'Approved, each message three times', behaviour: approve, messages: 'twice' },
  { number: '4000000000000226', brand: 'visa', shows: 'Approved, messages in the wrong order', behaviour: approve, messages: 'reordered' },
  {
    number: '4000000000000234',
    brand: 'visa',
    shows: 'Approved, no message at all: found by reconciliation',
    behaviour: approve,
    messages: 'lost',
  },
]

export function findTestCard(digits: string): TestCard | undefined {
  return testCards.find(({ number }) => number === digits)
}
