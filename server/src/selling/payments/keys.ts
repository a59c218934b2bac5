import type { Payment } from './payment.ts'

/** Idempotency key of a provider call: one per step and placement, whatever the number of retries. */
export function keyOf(
  { customerOrderId, placement, authorisations }: Pick<Payment, 'customerOrderId' | 'placement' | 'authorisations'>,
  step: 'intent' | 'capture' | 'void' | 'refund',
): string {
  const key = `order-${customerOrderId}-${step}-${placement}`
  // After a declined capture the next card needs a new capture, not the replayed refusal.
  return step === 'capture' && authorisations > 1 ? `${key}-${authorisations}` : key
}
