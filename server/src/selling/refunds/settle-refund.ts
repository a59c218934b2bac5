import { balanceOfOrder, book, type Entry } from '#ledger'
import { findChargedBack, followRepaid, lockPaymentOfOrder } from '#payments'
import type { Db, JobScope } from '#platform'
import { notifyOperator } from './notify-refund.ts'
import { disputedCode, owedOf, type Refund, type RefundState } from './refund.ts'
import { addSetOff, moveRefund, readRefund, readRepaid } from './store.ts'

/** What lost chargebacks pay of a refund, and the entries by which they do. Minor units. */
export interface TakenBack {
  taken: number
  entries: Entry[]
}

/**
 * What lost chargebacks of an order pay of an amount that is owed to its buyer: money that nobody bears yet, then what the marketplace
 * bears beyond the price of the order, since that has not been exceeded if a refund is owed. The payment is locked by the caller.
 */
export async function readTakenBack(db: Db, customerOrderId: string, owed: number): Promise<TakenBack> {
  const entries: Entry[] = []
  let left = owed
  for (const account of ['chargebacks', 'chargeback-losses'] as const) {
    const amount = left > 0 ? Math.min(left, await balanceOfOrder(db, customerOrderId, account)) : 0
    if (amount <= 0) continue
    entries.push({ account, amount: -amount })
    left -= amount
  }
  return { taken: owed - left, entries }
}

type Transferred = Pick<Refund, 'id' | 'customerOrderId' | 'currency' | 'amount' | 'setOff' | 'transfers'>

/**
 * Books a transfer to the buyer's account: one for each account, as the bank may return the money. What the buyer's bank has
 * taken back of the payment is not transferred as well. The payment is locked by the caller, and the refund done.
 */
export async function settleTransferred(
  scope: Pick<JobScope, 'db'>,
  refund: Transferred,
  { taken, entries: ofTaken }: TakenBack = { taken: 0, entries: [] },
): Promise<void> {
  const { db } = scope
  const { id, customerOrderId, currency, transfers } = refund
  const owed = owedOf(refund)
  const entries: Entry[] = [{ account: 'bank', amount: taken - owed }, ...ofTaken, { account: 'refunds-due', amount: owed }]
  if (taken > 0) await addSetOff(db, id, taken)
  await book(db, { key: bookingOfTransfer(id, transfers), kind: 'refund', customerOrderId, currency, entries })
  await endIfRepaid(scope, customerOrderId)
}

/** A refund is done: an order whose buyer has all of their money back ends, also if some of it left by transfer or a chargeback. */
export function endIfRepaid(scope: Pick<JobScope, 'db'>, customerOrderId: string): Promise<void> {
  return followRepaid(scope, customerOrderId, () => readRepaid(scope.db, customerOrderId))
}

/** Key of the booking of a refund's transfer. */
export function bookingOfTransfer(refundId: string, transfers: number): string {
  return `transfer:${refundId}:${transfers}`
}

/**
 * Sets a refund off against money of its order that the buyer's bank has taken back and no other refund makes up for: the buyer has
 * it, and nothing leaves again. If that is less than the refund, the operator decides about the rest. The payment is locked by the
 * caller. Returns whether the refund has moved.
 */
export async function setOff(
  scope: Pick<JobScope, 'db'>,
  refund: Pick<Refund, 'id' | 'customerOrderId' | 'currency' | 'amount' | 'setOff'>,
  from: readonly RefundState[],
): Promise<boolean> {
  const { db } = scope
  const { id, customerOrderId, currency } = refund
  const owed = owedOf(refund)
  const { taken, entries } = await readTakenBack(db, customerOrderId, owed)
  if (taken <= 0) return false
  if (taken < owed) {
    const hasMoved = await moveRefund(db, id, from, 'on-hold', disputedCode)
    const held = await readRefund(db, id)
    if (held?.state === 'on-hold') await notifyOperator(scope, held, disputedCode)
    return hasMoved
  }
  if (!(await moveRefund(db, id, from, 'done', disputedCode))) return false
  await addSetOff(db, id, owed)
  entries.push({ account: 'refunds-due', amount: owed })
  await endIfRepaid(scope, customerOrderId)
  return book(db, { key: `refund-set-off:${id}`, kind: 'refund', customerOrderId, currency, entries })
}

/** Whether a bank has still to decide about the payment of an order, or has taken back more than its refunds make up for. */
export async function isChargedBack(db: Db, customerOrderId: string): Promise<boolean> {
  const open = await findChargedBack(db, [customerOrderId])
  return open.has(customerOrderId) || (await readTakenBack(db, customerOrderId, 1)).taken > 0
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
