/**
 * Reasons for refusing a command, as shown to people. One list for server, browser and tests; the messages,
 * in five languages, are in `words/messages/<language>/refusal.json`; `server/src/selling/cart/refusal-words.ts` does not compile until a new reason has one.
 */
export const refusalReasons = [
  'unknown-offer',
  'not-for-this-market',
  'out-of-stock',
  'in-other-baskets',
  'quantity-not-positive',
  'quantity-not-multiple',
  'quantity-too-large',
  'sample-limit',
  'unknown-line',
  'cart-empty',
  'cart-changed',
  'sold-out',
  'cart-too-large',
  'coupon-unknown',
  'coupon-expired',
  'coupon-not-yet-valid',
  'coupon-exhausted',
  'coupon-already-used',
  'coupon-first-order-only',
  'coupon-not-for-you',
  'coupon-unavailable',
  'coupon-minimum-not-met',
  'coupon-not-applicable',
  'coupon-not-for-quotes',
  'coupon-other-market',
  'too-many-attempts',
  'email-invalid',
  'address-invalid',
  'address-missing',
  'delivery-unknown',
  'delivery-not-available',
  'delivery-missing',
  'pick-up-point-missing',
  'pick-up-point-gone',
  'pick-up-point-full',
  'pick-up-point-too-heavy',
  'pick-up-point-unconfirmed',
  'slot-missing',
  'slot-gone',
  'terms-not-accepted',
  'unknown-order',
  'members-only',
  'order-not-open',
  'order-already-paid',
  'payment-in-progress',
  'payment-unavailable',
  'invoice-not-offered',
  'invoice-limit-exceeded',
  'approval-needed',
  'approval-ended',
  'delivery-approved',
  'cost-centre-needed',
  'cost-centre-unknown',
  'site-unknown',
  'idempotency-key-reused',
  'idempotency-key-missing',
  'input-invalid',
] as const
export type RefusalReason = (typeof refusalReasons)[number]

export interface Refused {
  ok: false
  reason: RefusalReason
  /** Field path to message key, for invalid input: { "postcode": "postcode-format" }. */
  fields?: Record<string, string>
  /** Values that the message needs: { "available": 3 }. */
  details?: Record<string, string | number>
}
export type Result<T extends object = object> = ({ ok: true } & T) | Refused
