import { balanceOfOrder, book, type Entry } from '#ledger'
import { findChargedBack, lockPaymentOfOrder } from '#payments'
import type { Db, JobScope } from '#platform'
import { notifyOperator } from './notify-refund.ts'
import { disputedCode, type Refund, type RefundState } from './refund.ts'
import { moveRefund, readRefund } from './store.ts'

type Transferred = Pick<Refund, 'id' | 'customerOrderId' | 'currency' | 'amount' | 'transfers'>

/**
 * Books a transfer to the buyer's account: one for each account, as the bank may return the money. What the buyer's bank has
 * taken back of the payment is not transferred as well.
 */
export async function settleTransferred(
  { db }: Pick<JobScope, 'db'>,
  { id, customerOrderId, currency, amount, transfers }: Transferred,
  taken = 0,
): Promise<void> {
  const entries = [
    { account: 'bank' as const, amount: taken - amount },
    { account: 'chargebacks' as const, amount: -taken },
    { account: 'refunds-due' as const, amount },
  ].filter((entry) => entry.amount !== 0)
  await book(db, { key: `transfer:${id}:${transfers}`, kind: 'refund', customerOrderId, currency, entries })
}

/**
 * Sets a refund off against money of its order that the buyer's bank has taken back and nobody bears yet: the buyer has it, and
 * nothing leaves again. If that is less than the refund, the operator decides about the rest. The payment is locked by the caller.
 * Returns whether the refund has moved.
 */
export async function setOff(
  scope: Pick<JobScope, 'db'>,
  { id, customerOrderId, currency, amount }: Pick<Refund, 'id' | 'customerOrderId' | 'currency' | 'amount'>,
  from: readonly RefundState[],
): Promise<boolean> {
  const { db } = scope
  const taken = amount > 0 ? await balanceOfOrder(db, customerOrderId, 'chargebacks') : 0
  if (taken <= 0) return false
  if (taken < amount) {
    const hasMoved = await moveRefund(db, id, from, 'on-hold', disputedCode)
    const refund = await readRefund(db, id)
    if (refund?.state === 'on-hold') await notifyOperator(scope, refund, disputedCode)
    return hasMoved
  }
  if (!(await moveRefund(db, id, from, 'done', disputedCode))) return false
  const entries: Entry[] = [
    { account: 'chargebacks', amount: -amount },
    { account: 'refunds-due', amount },
  ]
  return book(db, { key: `refund-set-off:${id}`, kind: 'refund', customerOrderId, currency, entries })
}

/** Whether a bank has still to decide about the payment of an order, or nobody bears yet what it has taken back. */
export async function isChargedBack(db: Db, customerOrderId: string): Promise<boolean> {
  const open = await findChargedBack(db, [customerOrderId])
  return open.has(customerOrderId) || (await balanceOfOrder(db, customerOrderId, 'chargebacks')) > 0
}

/**
 * Stops a refund whose money is about to leave on another way while the buyer's bank may pay it, too: it waits for the decision, or
 * is set off. The payment is locked, so that a chargeback comes either before or after. Returns whether the refund has moved.
 */
export async function holdBack(scope: Pick<JobScope, 'db'>, refund: Refund, from: readonly RefundState[]): Promise<boolean> {
  const { db } = scope
  const { id, customerOrderId } = refund
  await lockPaymentOfOrder(db, customerOrderId)
  if ((await findChargedBack(db, [customerOrderId])).has(customerOrderId)) return moveRefund(db, id, from, 'on-hold', disputedCode)
  return setOff(scope, refund, from)
}
