import { book, reversed, type Entry } from '#ledger'
import { readOrder, type SellerOrder } from '#orders'
import { lockPaymentOfOrder } from '#payments'
import type { Db, Scope } from '#platform'
import { findToSettle } from './correct-refund.ts'
import { notifyRefund } from './notify-refund.ts'
import { refundEntries } from './refund-rule.ts'
import type { Refund } from './refund.ts'
import { moveRefund, readRecovered, readRefundedBefore, readRefundKey, readRefundsOf } from './store.ts'

/**
 * What is always owed, by the key of a refund: pieces that nobody collected are back with the seller, a cancelled replacement counts as a
 * return of what it replaced, and what a dispute has decided, or its parties have agreed on, is final.
 */
const alwaysOwed = /^(?:cancellation|uncollected|dispute):/

/**
 * A refund on hold is not owed, as for goods that never came back: its claim falls away, and its booking and credit note with it.
 * False for one that is always owed, and for one on whose account a later refund gave less (decision 112).
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
  if (!part || (await hasLimitedLater(db, part, refund)) || !(await moveRefund(db, refundId, ['on-hold'], 'not-owed'))) return false
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

/**
 * Whether a later refund of the part gave less because this one was counted: the price of what came back is paid by both, or the
 * marketplace got its goodwill back.
 */
async function hasLimitedLater(db: Db, part: SellerOrder, refund: Refund): Promise<boolean> {
  const later = (await readRefundsOf(db, refund.customerOrderId)).filter(
    ({ sellerOrderId, number }) => sellerOrderId === part.id && Number(number) > Number(refund.number),
  )
  if (later.some(({ amount, lines }) => lines.reduce((all, { goods, delivery }) => all + goods + delivery, 0) > amount)) return true
  const { lines: given } = await readRefundedBefore(db, part.id)
  const usedUp = part.lines.filter(
    ({ offerId, total, discount }) => (given.find((line) => line.offerId === offerId)?.goods ?? 0) >= total - discount,
  )
  // Of pieces each has its own price; a reduction is part of that of all pieces of its line.
  const reduced = refund.lines.filter(({ quantity, goods }) => quantity === 0 && goods > 0)
  return reduced.some(
    ({ offerId }) =>
      usedUp.some((line) => line.offerId === offerId) &&
      later.some(({ lines }) => lines.some((line) => line.offerId === offerId && line.goods > 0)),
  )
}
