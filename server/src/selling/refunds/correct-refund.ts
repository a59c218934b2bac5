import { authorize } from '#accounts'
import { balanceOfBookings, balanceOfOrder, book, type Entry } from '#ledger'
import { findChargedBack, followReturned, lockPaymentOfOrder } from '#payments'
import { isId, type Scope } from '#platform'
import { notifyRefund } from './notify-refund.ts'
import { owedOf, type Refund } from './refund.ts'
import { atProviderKey } from './split-reported.ts'
import { bookingOfTransfer, endIfRepaid, holdBack, readTakenBack } from './settle-refund.ts'
import { addSetOff, moveRefund, readRefund, readRefundsOf } from './store.ts'

/** A refund of this market that the principal, an operator, may settle. */
export async function findToSettle(scope: Scope, refundId: string): Promise<Refund | undefined> {
  const refund = isId(refundId) ? await readRefund(scope.db, refundId) : undefined
  return refund?.market === scope.market && authorize(scope, 'refund.settle', {}) ? refund : undefined
}

/**
 * The bank has returned a transfer, as to a closed account: what was transferred of the refund is due again, and its buyer is asked for
 * another account. False if nothing of it left the bank.
 */
export async function returnTransfer(scope: Scope, refundId: string): Promise<boolean> {
  const { db } = scope
  const found = await findToSettle(scope, refundId)
  if (!found) return false
  const { customerOrderId, currency } = found
  await lockPaymentOfOrder(db, customerOrderId)
  const refund = await readRefund(db, refundId)
  if (!refund) return false
  const key = `transfer-returned:${refundId}:${refund.transfers}`
  // Nothing of it left the bank if the card took it, which the provider reports, or if a chargeback has paid it since.
  const amount = -(await balanceOfBookings(db, [bookingOfTransfer(refundId, refund.transfers), key], 'bank'))
  if (amount <= 0 || !(await moveRefund(db, refundId, ['done'], 'iban-needed', 'transfer_returned'))) return false
  const entries: Entry[] = [
    { account: 'bank', amount },
    { account: 'refunds-due', amount: -amount },
  ]
  await book(db, { key, kind: 'refund', customerOrderId, currency, entries })
  await followReturned(scope, customerOrderId)
  if (!(await holdBack(scope, refund, ['iban-needed']))) await notifyRefund(scope, refund, 'iban-needed')
  return true
}

/**
 * The buyer has got the money of a refund on hold through the payment provider: from a chargeback, or because it was made there.
 * Nothing leaves the bank; what has been booked of it already, as the provider reported it, is not booked twice, nor what it reports
 * later: it is asked at once, as it tells of refunds made there neither by a message nor, of old payments, in its list. False while the
 * bank decides about a chargeback: nobody knows yet whether the buyer keeps that money.
 */
export async function settleAtProvider(scope: Scope, refundId: string): Promise<boolean> {
  const { db } = scope
  const found = await findToSettle(scope, refundId)
  if (!found) return false
  const { customerOrderId, currency } = found
  const payment = await lockPaymentOfOrder(db, customerOrderId)
  const refund = await readRefund(db, refundId)
  if (!payment || !refund || (await findChargedBack(db, [customerOrderId])).has(customerOrderId)) return false
  if (!(await moveRefund(db, refundId, ['on-hold'], 'done'))) return false
  await endIfRepaid(scope, customerOrderId)
  scope.emit('payment.check-requested', { checkedPaymentId: payment.id })
  const open = (await readRefundsOf(db, customerOrderId)).filter(({ state }) => state !== 'done')
  const owedToday = -(await balanceOfOrder(db, customerOrderId, 'refunds-due'))
  const amount = Math.min(owedOf(refund), owedToday - open.reduce((all, each) => all + owedOf(each), 0))
  if (amount <= 0) return true
  // What a lost chargeback has taken is booked already.
  const { taken, entries: ofTaken } = await readTakenBack(db, customerOrderId, amount)
  if (taken > 0) await addSetOff(db, refundId, taken)
  const entries: Entry[] = [
    { account: `provider:${payment.provider}` as const, amount: taken - amount },
    ...ofTaken,
    { account: 'refunds-due' as const, amount },
  ].filter((entry) => entry.amount !== 0)
  await book(db, { key: `${atProviderKey}${refundId}`, kind: 'refund', customerOrderId, currency, entries })
  return true
}
