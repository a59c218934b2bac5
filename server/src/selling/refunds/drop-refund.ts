import { book, reversed, type Entry } from '#ledger'
import { readOrder } from '#orders'
import { lockPaymentOfOrder } from '#payments'
import type { Scope } from '#platform'
import { findToSettle } from './correct-refund.ts'
import { notifyRefund } from './notify-refund.ts'
import { refundEntries } from './refund-rule.ts'
import { hasLimitedLater, moveRefund, readRecovered, readRefundedBefore, readRefundKey } from './store.ts'

/**
 * What is always owed, by the key of a refund: pieces that nobody collected are back with the seller, a cancelled replacement counts as a
 * return of what it replaced, and what a dispute has decided, or its parties have agreed on, is final.
 */
const alwaysOwed = /^(?:cancellation|uncollected|dispute):/

/**
 * A refund on hold is not owed, as for goods that never came back: its claim falls away, and its booking and credit note with it.
 * False for one that is always owed, and for one on whose account a later refund gave less (decisions 112 and 113).
 */
export async function dropRefund(scope: Scope, refundId: string): Promise<boolean> {
  const { db } = scope
  const refund = await findToSettle(scope, refundId)
  // Cancelled and lost pieces never come.
  if (!refund || refund.cause === 'cancellation' || refund.cause === 'lost') return false
  if (alwaysOwed.test((await readRefundKey(db, refundId)) ?? '')) return false
  const { customerOrderId, sellerOrderId, currency, amount, setOff, bornBy } = refund
  await lockPaymentOfOrder(db, customerOrderId)
  const part = (await readOrder(db, customerOrderId))?.sellerOrders.find(({ id }) => id === sellerOrderId)
  if (!part || (await hasLimitedLater(db, refund)) || !(await moveRefund(db, refundId, ['on-hold'], 'not-owed'))) return false
  // The last of the shares, as if it had been requested after all others: what is left adds up to the cent.
  const { bySeller } = await readRefundedBefore(db, sellerOrderId)
  const entries: Entry[] =
    bornBy === 'seller'
      ? refundEntries(part, bySeller, amount, await readRecovered(db, refundId))
      : [
          { account: 'refunds-due', amount: -amount },
          { account: 'goodwill', amount },
        ]
  const back: Entry[] = reversed(entries)
  // What a chargeback has paid of it is a loss again that nobody bears.
  if (setOff > 0) back.push({ account: 'chargebacks', amount: setOff }, { account: 'refunds-due', amount: -setOff })
  await book(db, { key: `refund-dropped:${refundId}`, kind: 'refund', customerOrderId, currency, entries: back })
  scope.emit('refund.dropped', { refundId, customerOrderId, sellerOrderId })
  await notifyRefund(scope, refund, 'not-owed')
  return true
}
