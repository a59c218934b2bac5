import type { Currency, Market } from '@purlin/contract/markets.ts'
import type { FailureCode, PaymentWay } from './payment.ts'

/** A payment as its provider reports it, in our terms. Amounts in minor units. */
export interface ProviderPayment {
  reference: string
  /** Our id, as passed to the provider; null for a payment created elsewhere. */
  paymentId: string | null
  status: 'initiated' | 'action-required' | 'authorised' | 'captured' | 'failed' | 'voided' | 'part-refunded' | 'refunded'
  amount: number
  currency: Currency
  captured: number
  refunded: number
  /** The part of `refunded` that was never invoiced; only a credit provider reports it. */
  reduced?: number | undefined
  failureCode: FailureCode | null
  card: { brand: string; last4: string } | null
  /** The wallet or credit that paid, or is paying; null for a card. */
  way?: PaymentWay | null
  /** Page with the card fields, on the provider's own origin. */
  frameUrl: string | null
}

export interface IntentRequest {
  paymentId: string
  customerOrderId: string
  amount: number
  currency: Currency
  market: Market
  /** Label of the order button, in the market's language. */
  payLabel: string
  returnUrl: string
  /** Origin allowed to embed the card fields in a frame. */
  shopOrigin: string
  /** The provider's customer whose saved cards may pay, and who may save one; null for guests. */
  customer: string | null
  /** Ways to pay that the provider may offer besides cards. */
  ways?: readonly PaymentWay[]
}

/** A card that a customer has agreed to save with the provider. */
export interface ProviderCard {
  reference: string
  brand: string
  last4: string
  expiryYear: number
  expiryMonth: number
  savedAt: Date
}

/** A request to save a card for payments that the customer does not attend. */
export interface SetupRequest extends Omit<IntentRequest, 'paymentId' | 'customerOrderId' | 'amount' | 'currency' | 'customer' | 'ways'> {
  setupId: string
  customer: string
}

/** The set-up of a card as its provider reports it; `card` is the one that may be charged, once it is done. */
export interface ProviderSetup {
  reference: string
  status: 'open' | 'done' | 'failed'
  failureCode: FailureCode | null
  card: ProviderCard | null
  frameUrl: string | null
}

/** A refund to a bank account instead of the card. */
export interface TransferRequest {
  amount: number
  currency: Currency
  iban: string
  holder: string
  /** Shown on the account statement. */
  reference: string
}

/** A payout to an account in the United Kingdom. */
export interface PayoutRequest {
  payoutId: string
  amount: number
  currency: Currency
  sortCode: string
  accountNumber: string
  holder: string
}

/** A payout as its provider reports it: accepted payouts arrive later, fail, or are returned after they have arrived. */
export interface ProviderPayout {
  reference: string
  status: 'pending' | 'paid' | 'failed' | 'returned'
  failureCode: string | null
}

export interface CallOptions {
  /** The same on every retry: the provider executes it once. */
  key: string
  signal?: AbortSignal
}

/** A verified message of a provider. */
export interface PaymentEvent {
  id: string
  type: string
  payment: ProviderPayment
}

/** A refund that the provider had accepted and could not make: its money is with the provider again. */
export interface FailedRefund {
  id: string
  type: string
  /** The provider's id of the refund: several messages may report one failure. */
  refundReference: string
  /** The payment it belongs to. */
  reference: string
  amount: number
  reason: string
}

export type ChargebackState = 'open' | 'won' | 'lost'

/** The buyer's bank takes money of a payment back (a chargeback), or has decided whether it stays there: `lost` by the shop. */
export interface ProviderChargeback {
  /** The provider's id of the dispute: several messages report its course. */
  chargebackReference: string
  /** The payment it belongs to. */
  reference: string
  state: ChargebackState
  amount: number
  currency: Currency
  /** The bank's reason, as the provider codes it. */
  reason: string
}
export interface ChargebackEvent extends ProviderChargeback {
  id: string
  type: string
}

/** The same, or one that the entry of a card has an outcome, that a refund has failed, or that a payment is charged back. */
export type ProviderEvent = PaymentEvent | FailedRefund | ChargebackEvent | { id: string; type: string; setupId: string }

/** A payment service provider. Every command takes an idempotency key and may be retried. */
export interface PaymentProvider {
  name: string
  createIntent(wish: IntentRequest, options: CallOptions): Promise<ProviderPayment>
  capture(reference: string, options: CallOptions): Promise<ProviderPayment>
  void(reference: string, options: CallOptions): Promise<ProviderPayment>
  refund(reference: string, amount: number, options: CallOptions): Promise<ProviderPayment>
  /** Pays money out to a bank account, where the card does not take it. @throws ProviderRefusal when it cannot or the bank refuses */
  transfer(wish: TransferRequest, options: CallOptions): Promise<void>
  /** Pays a seller. @throws ProviderRefusal when it cannot */
  payOut(wish: PayoutRequest, options: CallOptions): Promise<ProviderPayout>
  retrievePayout(reference: string, options: Omit<CallOptions, 'key'>): Promise<ProviderPayout>
  retrieve(reference: string, options: Omit<CallOptions, 'key'>): Promise<ProviderPayment>
  /** A dispute as it is now, by the provider's id of it; null if it is not about a payment of the shop. */
  retrieveChargeback(reference: string, options: Omit<CallOptions, 'key'>): Promise<ProviderChargeback | null>
  /** All payments since an instant, oldest first; `after` is the last reference of the previous page. */
  list(page: { since: Date; after?: string }, options: Omit<CallOptions, 'key'>): Promise<ProviderPayment[]>
  /** The provider's id for a customer of the shop; the same one each time. */
  createCustomer(customerId: string, options: CallOptions): Promise<string>
  /** Saves a card with the customer's mandate for later charges; the bank authenticates it now (3-D Secure). */
  createSetup(wish: SetupRequest, options: CallOptions): Promise<ProviderSetup>
  retrieveSetup(reference: string, options: Omit<CallOptions, 'key'>): Promise<ProviderSetup>
  /** Charges a card of the intent's customer without them. An intent captured before is reported as it is: it is never captured twice. */
  chargeSaved(reference: string, card: string, options: CallOptions): Promise<ProviderPayment>
  /** Cards the customer has saved. */
  listCards(customer: string, options: Omit<CallOptions, 'key'>): Promise<ProviderCard[]>
  /** Offers this card first from now on. */
  preferCard(customer: string, card: string, options: CallOptions): Promise<void>
  /** Forgets a card; one that is forgotten already is no error. */
  detachCard(card: string, options: CallOptions): Promise<void>
  /** Forgets a customer and all of their cards; again is no error. */
  deleteCustomer(customer: string, options: CallOptions): Promise<void>
  /** Parses a message into its event; null for messages about unknown objects. @throws when the signature is invalid (A70) */
  verifyWebhook(rawBody: string, headers: Readonly<Record<string, string | string[] | undefined>>): ProviderEvent | null
}

/** Charges without an order carry this prefix before their id: their own module follows them by their responses. */
export const subscriptionCharge = 'subscription:'

/** Whether a payment is followed by another module. */
export function isElsewhere({ paymentId }: Pick<ProviderPayment, 'paymentId'>): boolean {
  return paymentId?.startsWith(subscriptionCharge) ?? false
}

/** The provider answered and refused. */
export class ProviderRefusal extends Error {
  override name = 'ProviderRefusal'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Signed, and still not a message we know how to read: 400, and sending it again changes nothing. */
export class UnreadableMessage extends Error {
  override name = 'UnreadableMessage'
}

/** A message that is not from the provider or was altered in transit. */
export class ForgedMessage extends Error {
  override name = 'ForgedMessage'
}
