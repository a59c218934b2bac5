import type { JobScope } from '#platform'
import type { Payment } from './payment.ts'
import { markAbandoned } from './store.ts'

/** Abandons a payment: the worker voids it, or refunds it if it was captured in the meantime. */
export async function abandonPayment(scope: Pick<JobScope, 'db' | 'emit'>, payment: Payment, why: 'expired' | 'voided'): Promise<void> {
  await markAbandoned(scope.db, payment.id, why)
  scope.emit('payment.void-requested', { paymentId: payment.id, customerOrderId: payment.customerOrderId })
}
