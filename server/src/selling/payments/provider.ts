import type { Currency, Market } from '@purlin/contract/markets.ts'
import type { FailureCode } from './payment.ts'

/** A payment as its provider sees it, in our words. Amounts in minor units. */
export interface ProviderPayment {
  reference: string
  /** Ours, which the provider was given; null for a payment that is not from here. */
  paymentId: string | null
  status: 'initiated' | 'action-required' | 'authorised' | 'captured' | 'failed' | 'voided' | 'part-refunded' | 'refunded'
  amount: number
  currency: Currency
  captured: number
  refunded: number
  failureCode: FailureCode | null
  card: { brand: string; last4: string } | null
  /** Page with the card fields, on the provider's own origin. */
  frameUrl: string | null
}

export interface IntentWish {
  paymentId: string
  customerOrderId: string
  amount: number
  currency: Currency
  market: Market
  /** The button that costs money, in the market's words. */
  payLabel: string
  returnUrl: string
  /** Origin that may show the card fields in a frame. */
  shopOrigin: string
}

export interface CallOptions {
  /** The same on every try: the provider does it once. */
  key: string
  signal?: AbortSignal
}

/** A signed message of a provider, checked. */
export interface ProviderEvent {
  id: string
  type: string
  payment: ProviderPayment
}

/** Who takes the money. Every command takes a key and may be sent again. */
export interface PaymentProvider {
  name: string
  createIntent(wish: IntentWish, options: CallOptions): Promise<ProviderPayment>
  capture(reference: string, options: CallOptions): Promise<ProviderPayment>
  void(reference: string, options: CallOptions): Promise<ProviderPayment>
  refund(reference: string, amount: number, options: CallOptions): Promise<ProviderPayment>
  retrieve(reference: string, options: Omit<CallOptions, 'key'>): Promise<ProviderPayment>
  /** All payments since an instant, oldest first; `after` is the reference the page before ended with. */
  list(page: { since: Date; after?: string }, options: Omit<CallOptions, 'key'>): Promise<ProviderPayment[]>
  /** The event of a message of theirs; null for messages about nothing we know. @throws when the signature is not theirs (A70) */
  verifyWebhook(rawBody: string, headers: Readonly<Record<string, string | string[] | undefined>>): ProviderEvent | null
}

/** The provider answered, and it was no. */
export class ProviderRefusal extends Error {
  override name = 'ProviderRefusal'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** A message that is not from the provider, or not as it was sent. */
export class ForgedMessage extends Error {
  override name = 'ForgedMessage'
}
