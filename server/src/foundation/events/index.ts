import type { ConsentPurpose } from '@purlin/contract/consent.ts'
import type { Currency, Market, Mode } from '@purlin/contract/markets.ts'

/** Pieces of a seller order that have reached a state. `reason` is a code; the parcel is the one that carries them. */
export interface MovedPieces {
  customerOrderId: string
  sellerOrderId: string
  market: Market
  lines: readonly { offerId: string; quantity: number }[]
  actor: 'buyer' | 'seller' | 'system' | 'provider' | 'carrier' | 'operator'
  reason: string
  parcelId: string | null
}

/** The price of a period of a company's subscription. Minor units. */
export interface SubscriptionCharge {
  chargeId: string
  subscriptionId: string
  companyId: string
  customerId: string
  market: Market
  period: 'yearly' | 'monthly'
  net: number
  vat: number
  gross: number
  rateBp: number
  treatment: 'domestic' | 'gb' | 'reverse-charge' | 'outside-scope'
  currency: Currency
}

/** Every event with its payload. The outbox row also carries id, aggregate (for ordering) and time. */
export interface EventPayloads {
  'offer.changed': { offerId: string; productId: string; market: Market }
  'product.changed': { productId: string }
  'category.changed': { categoryId: number }
  'seller.changed': { sellerId: number }
  'stock.changed': { offerId: string; productId: string; market: Market; stock: number }
  /** Only some customers may use the code: a coupon with an audience was made. */
  'coupon.hidden': { market: Market; code: string }
  'cart.line-added': { cartId: string; offerId: string; quantity: number }
  /** Events of the first release name neither the storefront nor the seller orders, and those of earlier ones no amount. */
  'order.paid': { customerOrderId: string; market: Market; mode?: Mode; sellerOrderIds?: string[]; amount?: number; currency?: Currency }
  'seller-order.accepted': MovedPieces
  'seller-order.refused': MovedPieces
  'seller-order.shipped': MovedPieces
  'seller-order.delivered': MovedPieces
  'seller-order.incident-opened': MovedPieces
  'seller-order.closed': MovedPieces
  'seller-order.cancelled': MovedPieces
  'order.cancelled': { customerOrderId: string; market: Market; reason: string }
  // The payment as written is included, so that its handlers need not read it; events of earlier releases lack it.
  'payment.requested': {
    paymentId: string
    customerOrderId: string
    asked?: {
      customerId?: string | null
      placement: number
      amount: number
      currency: Currency
      market: Market
      mode?: Mode
      origin: string
    }
  }
  'payment.authorised': {
    paymentId: string
    customerOrderId: string
    authorised?: {
      customerId?: string | null
      placement: number
      authorisations: number
      provider: string
      reference: string
      amount: number
      currency: Currency
    }
  }
  'payment.failed': { paymentId: string; customerOrderId: string; reason: string }
  'payment.void-requested': { paymentId: string; customerOrderId: string }
  'payment.refund-requested': { paymentId: string; customerOrderId: string; amount: number }
  // A customer wants text messages to a number, and waits for the code that confirms it.
  'phone-code.requested': { customerId: string; codeId: string }
  // A step of a return or of a dispute; `state` is the state it led to.
  'return.changed': { returnId: string; customerOrderId: string; sellerOrderId: string; state: string }
  // Statuses of pickups, and of parcels that no seller has sent.
  'collection.reported': { collectionReference: string; state: 'scheduled' | 'cancelled' | 'collected' | 'missed' }
  'foreign-parcel.reported': { trackingNumber: string; events?: { kind: string; at: string }[] } // optional: earlier releases sent none
  'dispute.changed': { disputeId: string; customerOrderId: string; sellerOrderId: string; state: string }
  // The invoice of a parcel; gross in minor units, the day in the market's time.
  'invoice.issued': {
    invoiceId: string
    number: string
    customerOrderId: string
    sellerOrderId: string
    market: Market
    gross: number
    issuedOn: string
  }
  // Money that is owed to a buyer; its credit note follows from it.
  'refund.requested': { refundId: string; customerOrderId: string; sellerOrderId: string }
  // The operator has said that it is not owed: what was booked and credited for it is taken back.
  'refund.dropped': { refundId: string; customerOrderId: string; sellerOrderId: string }
  // Made, and returned by the bank later.
  'refund.failed': { paymentId: string; customerOrderId: string; refundReference: string; amount: number; reason: string }
  // A refund that waited for a bank's decision about the payment may be made.
  'refund.released': { refundId: string; customerOrderId: string; chargebackId: string }
  // A bank takes a payment back, or has decided about it.
  'chargeback.changed': { chargebackId: string; customerOrderId: string; state: 'open' | 'won' | 'lost' }
  'refund.transfer-requested': { refundId: string; customerOrderId: string }
  // An aggregate of its own: the check of pending payments must not wait behind pending events.
  'payment.check-requested': { checkedPaymentId: string }
  // A person registered as a professional. The number is a claim: it becomes the company's when its register or an operator confirms it.
  'company.applied': {
    companyId: string
    customerId: string
    market: Market
    name: string
    country: string
    vatNumber: string | null
    /** Missing in events of earlier releases. */
    registerNumber?: string | null
  }
  'company.registered': { companyId: string; name: string; country: string; vatNumber: string | null }
  'message.written': { conversationId: string; author: 'buyer' | 'seller' | 'operator'; seq: number }
  'quote.changed': { quoteId: string; sellerId: number; state: string }
  'payout.requested': { payoutId: string }
  'mail.requested': { mailId: string }
  // A visitor withdrew purposes: modules delete what they stored under them for this visitor id, and for the customer who was
  // signed in; at least one is named. It is repeated for requests that were handled late. What was stored after `withdrawnAt` stays:
  // they may have agreed again before the event is handled. After `endsId` no browser has the visitor id, so nothing is stored under it but
  // what was on its way. Events of earlier releases name no customer, or no time.
  'consent.withdrawn': {
    visitorId: string | null
    customerId?: string | null
    withdrawn: ConsentPurpose[]
    withdrawnAt?: string
    endsId?: true
    isRepeated?: true
  }
  // The entry of a card at the provider has an outcome.
  'card.set-up-reported': { setupId: string }
  // The price of a period was paid, or paid back: the marketplace invoices and credits it.
  'subscription.charged': SubscriptionCharge & { periodStart: string; periodEnd: string }
  'subscription.refunded': SubscriptionCharge
  'search-levers.changed': { leversOf: Market }
}
export type EventType = keyof EventPayloads

/** Until when what was stored for the visitor id is deleted: without end once no browser has it. */
export function untilForVisitor({ withdrawnAt, endsId }: EventPayloads['consent.withdrawn']): string | undefined {
  return endsId ? undefined : withdrawnAt
}

/** The subject of an event: events of one aggregate are delivered in the order they were written. */
export function aggregateOf(payload: EventPayloads[EventType]): string {
  if ('checkedPaymentId' in payload) return `payment-check:${payload.checkedPaymentId}`
  if ('customerOrderId' in payload) return `order:${payload.customerOrderId}`
  if ('collectionReference' in payload) return `collection:${payload.collectionReference}`
  if ('trackingNumber' in payload) return `parcel:${payload.trackingNumber}`
  if ('productId' in payload) return `product:${payload.productId}`
  if ('cartId' in payload) return `cart:${payload.cartId}`
  if ('sellerId' in payload) return `seller:${payload.sellerId}`
  if ('leversOf' in payload) return `levers:${payload.leversOf}`
  if ('categoryId' in payload) return `category:${payload.categoryId}`
  if ('conversationId' in payload) return `conversation:${payload.conversationId}`
  if ('payoutId' in payload) return `payout:${payload.payoutId}`
  if ('setupId' in payload) return `set-up:${payload.setupId}`
  if ('subscriptionId' in payload) return `subscription:${payload.subscriptionId}`
  if ('companyId' in payload) return `company:${payload.companyId}`
  if ('visitorId' in payload) return `visitor:${payload.visitorId ?? `of-customer:${payload.customerId}`}`
  if ('codeId' in payload) return `phone-code:${payload.codeId}`
  if ('code' in payload) return `coupon:${payload.code}`
  return `mail:${payload.mailId}`
}
