import type { JobScope } from '#platform'
import { paymentProcess } from './ports.ts'
import { lockPaymentOfOrder } from './store.ts'

/**
 * Ends an order once the refunds of it that are done reach what was captured, whichever way their money left: its goods are not sent as
 * well. Locks the payment, so that of two refunds the second one counts both. Amounts in minor units.
 */
export async function followRepaid(scope: Pick<JobScope, 'db'>, customerOrderId: string, readRepaid: () => Promise<number>): Promise<void> {
  const payment = await lockPaymentOfOrder(scope.db, customerOrderId)
  if (payment && payment.captured > 0 && (await readRepaid()) >= payment.captured) await paymentProcess().repaid(scope, payment)
}

/** The bank has returned the transfer of a refund, which is due again: its order goes on. */
export async function followReturned(scope: Pick<JobScope, 'db'>, customerOrderId: string): Promise<void> {
  const payment = await lockPaymentOfOrder(scope.db, customerOrderId)
  if (payment) await paymentProcess().refundFailed(scope, payment)
}
