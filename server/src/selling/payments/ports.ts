import type { JobScope } from '#platform'
import type { KnownPayment } from './payment.ts'

/**
 * The process that asked for the money. Payments tells it of each step inside the step's own transaction, with the
 * payment's row locked: what it does about the step is committed with the step or not at all (decision 017). It may run
 * again when the database asks for a retry, so it never talks to the outside.
 */
export interface PaymentProcess {
  /** A card was authorised. False: the money is not wanted any more, and the payment is voided. */
  authorised(scope: JobScope, payment: KnownPayment): Promise<boolean>
  /** Money arrived, the whole amount of a payment still wanted or not. False: nothing is sold for it, and it is sent back. */
  captured(scope: JobScope, payment: KnownPayment, money: { amount: number; isWhole: boolean }): Promise<boolean>
  /** The capture of an authorised card was declined. True: another card may be tried. */
  captureDeclined(scope: JobScope, payment: KnownPayment): Promise<boolean>
  /** Money went back. */
  refunded(scope: JobScope, payment: KnownPayment, money: { amount: number; total: number; isWhole: boolean }): Promise<void>
}

let connected: PaymentProcess | undefined

/** Connected once per process, where all modules meet (edges/connect-modules.ts). */
export function connectPaymentProcess(process: PaymentProcess): void {
  connected = process
}

/** @throws when nothing is connected: a step of a payment whose order does not follow must not be committed */
export function paymentProcess(): PaymentProcess {
  if (!connected) throw new Error('No process is connected that follows payments')
  return connected
}
