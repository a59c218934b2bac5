import { book, type Entry } from '#ledger'
import type { JobScope } from '#platform'
import type { Refund } from './refund.ts'

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
