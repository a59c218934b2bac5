import type { Payment } from './payment.ts'

/** Key of a call to the provider: the same step of the same placement is done once, however often it is asked for. */
export function keyOf(
  { customerOrderId, placement, authorisations }: Pick<Payment, 'customerOrderId' | 'placement' | 'authorisations'>,
  step: 'intent' | 'capture' | 'void' | 'refund',
): string {
  const key = `order-${customerOrderId}-${step}-${placement}`
  // After a declined capture the next card is captured anew, not answered with the old refusal.
  return step === 'capture' && authorisations > 1 ? `${key}-${authorisations}` : key
}
