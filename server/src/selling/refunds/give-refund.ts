import { createHash } from 'node:crypto'
import { authorize } from '#accounts'
import { isOrderId, readOrder, type SellerOrder } from '#orders'
import { findChargedBack, lockPaymentOfOrder } from '#payments'
import { quotas, requireQuota, withIdempotency, type KeyRefused, type Scope } from '#platform'
import { showMoney } from '#pricing'
import { findToSettle } from './correct-refund.ts'
import { notifyRefund } from './notify-refund.ts'
import { recipientsOf } from './recipients.ts'
import { byHandCode, owedOf } from './refund.ts'
import { requestRefund } from './request-refund.ts'
import { holdBack, readTakenBack, settleTransferred } from './settle-refund.ts'
import { moveByHand, readOpenRefunds, readRefund, readRefundByKey } from './store.ts'

export interface GiveRefund {
  customerOrderId: string
  sellerOrderId: string
  /** Part of the price of this line; null: goodwill for the order. */
  offerId: string | null
  amount: number
  idempotencyKey: string
}
export type GaveRefund =
  | { ok: true; refundId: string }
  | { ok: false; reason: 'unknown-order' | 'nothing-left' | 'input-invalid' }
  | KeyRefused

/**
 * A refund that a seller or the operator gives of their own accord, at most what is left of that seller's part. The seller
 * pays for their own; goodwill of the operator costs the seller nothing. The same key gives one refund; with another amount or
 * line it is refused (A30, R-534).
 */
export async function giveRefund(scope: Scope, wish: GiveRefund): Promise<GaveRefund> {
  const { customerOrderId, sellerOrderId, offerId, amount, idempotencyKey } = wish
  const order = isOrderId(customerOrderId) ? await readOrder(scope.db, customerOrderId) : undefined
  const part = order?.market === scope.market ? order.sellerOrders.find(({ id }) => id === sellerOrderId) : undefined
  if (!part || !authorize(scope, 'refund.give', { sellerId: part.sellerId })) return { ok: false, reason: 'unknown-order' }
  if (!Number.isSafeInteger(amount) || amount <= 0 || !/^[\w.:-]{8,100}$/.test(idempotencyKey))
    return { ok: false, reason: 'input-invalid' }
  const isOperator = authorize(scope, 'refund.settle', {})
  const giver = isOperator ? 'operator' : 'seller'
  const keyed = {
    owner: `refund:${sellerOrderId}:${giver}`,
    key: createHash('sha256').update(idempotencyKey).digest('hex'),
    body: { offerId, amount },
  }
  const key = `goodwill:${giver}:${sellerOrderId}:${idempotencyKey}`
  return withIdempotency<GaveRefund>(scope, keyed, async () => {
    // The refund remembers its key for longer than the store of keys does.
    const known = await readRefundByKey(scope.db, key)
    if (known && (known.amount !== amount || (known.lines[0]?.offerId ?? null) !== offerId))
      return { ok: false, reason: 'idempotency-key-reused' }
    const taken = isOperator || known ? null : await requireQuota('given-refund', { key: sellerOrderId }, 1, mostADay(part))
    const refundId = await requestRefund(scope, {
      customerOrderId,
      sellerOrderId,
      cause: 'goodwill',
      key,
      extra: { offerId, amount },
      bornBy: isOperator ? 'marketplace' : 'seller',
    })
    if (refundId !== undefined) return { ok: true, refundId }
    await taken?.giveBack()
    return { ok: false, reason: 'nothing-left' }
  })
}

/** Refunds are given line by line: enough for every line, and a correction of each. */
function mostADay({ lines }: Pick<SellerOrder, 'lines'>): number {
  return Math.max(quotas['given-refund'].key.units, 2 * lines.length)
}

/** Refunds that wait for somebody in this market, oldest first: for the operator. */
export async function listOpenRefunds(scope: Scope) {
  const open = await readOpenRefunds(scope.db, scope.market, 100)
  return open.map(({ lines: _lines, ...refund }) => ({ ...refund, amount: showMoney(refund.market, owedOf(refund)) }))
}

/**
 * The operator's bank has made a transfer that the payment provider cannot make. One that the provider is still making is not
 * confirmed, nor one for money that the buyer's bank pays or may pay; of a refund larger than that, the rest is transferred. One that
 * waits for an account is, if nobody is left who may name it: its company is closed, or its buyer erased.
 */
export async function confirmTransfer(scope: Scope, refundId: string): Promise<boolean> {
  const { db } = scope
  const found = await findToSettle(scope, refundId)
  if (!found) return false
  const { customerOrderId } = found
  await lockPaymentOfOrder(db, customerOrderId)
  const refund = await readRefund(db, refundId)
  if (!refund || (await findChargedBack(db, [customerOrderId])).has(customerOrderId)) return false
  const order = refund.state === 'iban-needed' ? await readOrder(db, customerOrderId) : undefined
  const isUnnamed = order !== undefined && !(await recipientsOf(scope, order)).mayName
  const from = isUnnamed ? 'iban-needed' : refund.failureCode === byHandCode ? 'transferring' : 'on-hold'
  if (await holdBack(scope, refund, [from])) return false
  const transfers = await moveByHand(db, refundId, isUnnamed)
  if (transfers === undefined) return false
  await settleTransferred(scope, { ...refund, transfers }, await readTakenBack(db, customerOrderId, owedOf(refund)))
  const paid = await readRefund(db, refundId)
  if (paid) await notifyRefund(scope, paid, 'done')
  return true
}
