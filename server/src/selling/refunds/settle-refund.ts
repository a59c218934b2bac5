import { balanceOfOrder, book, type Entry } from '#ledger'
import type { Db, JobScope } from '#platform'
import { disputedCode, type Refund, type RefundState } from './refund.ts'
import { moveRefund } from './store.ts'

/** Books a transfer to the buyer's account: one for each account, as the bank may return the money. */
export async function settleTransferred(
  scope: JobScope,
  { id, customerOrderId, currency, amount, transfers }: Pick<Refund, 'id' | 'customerOrderId' | 'currency' | 'amount' | 'transfers'>,
): Promise<void> {
  const entries: Entry[] = [
    { account: 'bank', amount: -amount },
    { account: 'refunds-due', amount },
  ]
  await book(scope.db, { key: `transfer:${id}:${transfers}`, kind: 'refund', customerOrderId, currency, entries })
}

/**
 * Sets a refund off against money of its order that the buyer's bank has taken back and nobody bears yet: the buyer has it, and
 * nothing leaves again. If that is less than the refund, the operator decides about the rest. The payment is locked by the caller.
 */
export async function setOff(
  db: Db,
  { id, customerOrderId, currency, amount }: Pick<Refund, 'id' | 'customerOrderId' | 'currency' | 'amount'>,
  from: readonly RefundState[],
): Promise<void> {
  const taken = amount > 0 ? await balanceOfOrder(db, customerOrderId, 'chargebacks') : 0
  if (taken <= 0) return
  const isCovered = taken >= amount
  if (!(await moveRefund(db, id, from, isCovered ? 'done' : 'on-hold', disputedCode)) || !isCovered) return
  const entries: Entry[] = [
    { account: 'chargebacks', amount: -amount },
    { account: 'refunds-due', amount },
  ]
  await book(db, { key: `refund-set-off:${id}`, kind: 'refund', customerOrderId, currency, entries })
}
