import type { EventPayloads } from '#events'
import type { JobScope } from '#platform'
import type { KnownPayment } from './payment.ts'

/**
 * The process that requested the payment. Payments calls it for each step inside the step's own transaction, with the
 * payment's row locked: its effects are committed with the step or not at all (decision 017). It may run again when the
 * database requires a retry, so it never calls external systems.
 */
export interface PaymentProcess {
  /** A card was authorised: emits `payment.authorised` with this payload. False: the payment is no longer wanted and is voided. */
  authorised(scope: JobScope, payment: KnownPayment, payload: EventPayloads['payment.authorised']): Promise<boolean>
  /** Money was captured: for a live payment in full, or otherwise. False: nothing is sold for it, and it is refunded. */
  captured(scope: JobScope, payment: KnownPayment, money: { amount: number; isWhole: boolean }): Promise<boolean>
  /** The provider declined the payment, or waits for its buyer: whoever has left the page of the payment does not know. */
  unsettled(scope: JobScope, payment: KnownPayment, outcome: 'declined' | 'undecided'): Promise<void>
  /** The capture of an authorised card was declined. True: another card may be tried. */
  captureDeclined(scope: JobScope, payment: KnownPayment): Promise<boolean>
  /** Money was refunded: the whole payment in one refund, the last of it, or a part. */
  refunded(
    scope: JobScope,
    payment: KnownPayment,
    money: { amount: number; total: number; isWhole: boolean; isAll: boolean },
  ): Promise<void>
  /** The buyer has all of the payment's money back, some of it in another way than they paid. */
  repaid(scope: Pick<JobScope, 'db'>, payment: KnownPayment): Promise<void>
  /** A refund failed after it was made: the shop has its money again. */
  refundFailed(scope: Pick<JobScope, 'db'>, payment: KnownPayment): Promise<void>
}

let connected: PaymentProcess | undefined

/** Set once per process, where all modules meet (edges/connect-modules.ts). */
export function connectPaymentProcess(process: PaymentProcess): void {
  connected = process
}

/** @throws when no process is connected: a payment step must not be committed without its order */
export function paymentProcess(): PaymentProcess {
  if (!connected) throw new Error('No payment process is connected')
  return connected
}
