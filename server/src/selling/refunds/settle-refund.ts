import { book, type Entry } from '#ledger'
import type { JobScope } from '#platform'

/** Books a transfer to the buyer's account. */
export async function settleTransferred(
  scope: JobScope,
  { id, customerOrderId, currency, amount }: { id: string; customerOrderId: string; currency: 'EUR' | 'GBP'; amount: number },
): Promise<void> {
  const entries: Entry[] = [
    { account: 'bank', amount: -amount },
    { account: 'refunds-due', amount },
  ]
  await book(scope.db, { key: `transfer:${id}`, kind: 'refund', customerOrderId, currency, entries })
}
