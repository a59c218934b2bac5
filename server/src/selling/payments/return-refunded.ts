import type { JobScope } from '#platform'
import type { Payment } from './payment.ts'
import { paymentProcess } from './ports.ts'
import { writeReturned } from './store.ts'

/** A refund has failed after it was made: the payment has its money again, and its order goes on. False if it never gave back as much. */
export async function returnRefunded(scope: JobScope, payment: Payment, amount: number): Promise<boolean> {
  if (!(await writeReturned(scope.db, payment.id, amount))) return false
  await paymentProcess().refundFailed(scope, payment)
  return true
}
