import { authorize } from '#accounts'
import { balanceOfOrder, book, type Entry } from '#ledger'
import { lockPaymentOfOrder } from '#payments'
import { isId, type Scope } from '#platform'
import { notifyRefund } from './notify-refund.ts'
import type { Refund } from './refund.ts'
import { holdBack } from './settle-refund.ts'
import { moveRefund, readRefund, readRefundsOf } from './store.ts'

/** A refund of this market that the principal, an operator, may settle. */
export async function findToSettle(scope: Scope, refundId: string): Promise<Refund | undefined> {
  const refund = isId(refundId) ? await readRefund(scope.db, refundId) : undefined
  return refund?.market === scope.market && authorize(scope, 'refund.settle', {}) ? refund : undefined
}

/** The bank has returned a transfer, as to a closed account: the refund is due again, and its buyer is asked for another account. */
export async function returnTransfer(scope: Scope, refundId: string): Promise<boolean> {
  const refund = await findToSettle(scope, refundId)
  // Of refunds to cards the provider reports itself that they came back.
  if (!refund || refund.ibanEnd === null) return false
  await lockPaymentOfOrder(scope.db, refund.customerOrderId)
  if (!(await moveRefund(scope.db, refundId, ['done'], 'iban-needed', 'transfer_returned'))) return false
  const { customerOrderId, currency, amount, transfers } = refund
  const entries: Entry[] = [
    { account: 'bank', amount },
    { account: 'refunds-due', amount: -amount },
  ]
  await book(scope.db, { key: `transfer-returned:${refundId}:${transfers}`, kind: 'refund', customerOrderId, currency, entries })
  if (!(await holdBack(scope, refund, ['iban-needed']))) await notifyRefund(scope, refund, 'iban-needed')
  return true
}

/**
 * The buyer has got the money of a refund on hold through the payment provider: from a chargeback, or because it was made there.
 * Nothing leaves the bank; what has been booked of it already, as the provider reported it, is not booked twice.
 */
export async function settleAtProvider(scope: Scope, refundId: string): Promise<boolean> {
  const { db } = scope
  const refund = await findToSettle(scope, refundId)
  const payment = refund && (await lockPaymentOfOrder(db, refund.customerOrderId))
  if (!payment || !(await moveRefund(db, refundId, ['on-hold'], 'done'))) return false
  const { customerOrderId, currency } = refund
  const open = (await readRefundsOf(db, customerOrderId)).filter(({ state }) => state !== 'done')
  const owedToday = -(await balanceOfOrder(db, customerOrderId, 'refunds-due'))
  const amount = Math.min(refund.amount, owedToday - open.reduce((all, each) => all + each.amount, 0))
  if (amount <= 0) return true
  // What a lost chargeback has taken is booked already.
  const taken = Math.min(amount, Math.max(0, await balanceOfOrder(db, customerOrderId, 'chargebacks')))
  const entries: Entry[] = [
    { account: `provider:${payment.provider}` as const, amount: taken - amount },
    { account: 'chargebacks' as const, amount: -taken },
    { account: 'refunds-due' as const, amount },
  ].filter((entry) => entry.amount !== 0)
  await book(db, { key: `refund-at-provider:${refundId}`, kind: 'refund', customerOrderId, currency, entries })
  return true
}
