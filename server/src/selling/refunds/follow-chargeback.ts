import type { EventPayloads } from '#events'
import { book } from '#ledger'
import { findChargedBack, lockPaymentOfOrder, readChargeback } from '#payments'
import type { JobScope } from '#platform'
import { notifyOfChargeback } from './notify-refund.ts'
import { disputedCode } from './refund.ts'
import { isChargedBack, setOff } from './settle-refund.ts'
import { moveRefund, readDisputedRefunds } from './store.ts'

/**
 * A bank takes a payment back: refunds of its order wait for the decision, as nobody knows yet whether the buyer keeps that money.
 * Lost by the shop, it counts as their refund and the rest is a loss; won, they are made after all. Operators are told of each step.
 */
export async function followChargeback(scope: JobScope, { chargebackId, state }: EventPayloads['chargeback.changed']): Promise<void> {
  const { db } = scope
  const chargeback = await readChargeback(db, chargebackId)
  if (!chargeback) throw new Error(`There is no chargeback ${chargebackId}`)
  const { customerOrderId, provider, amount, currency } = chargeback
  await lockPaymentOfOrder(db, customerOrderId)
  if (state === 'lost') {
    const entries = [
      { account: `provider:${provider}` as const, amount: -amount },
      { account: 'chargebacks' as const, amount },
    ]
    await book(db, { key: `chargeback:${chargebackId}`, kind: 'refund', customerOrderId, currency, entries })
  }
  const refunds = await readDisputedRefunds(db, customerOrderId)
  const isDecided = !(await findChargedBack(db, [customerOrderId])).has(customerOrderId)
  for (const refund of refunds) {
    if (state === 'open') await moveRefund(db, refund.id, ['iban-needed', 'transferring'], 'on-hold', disputedCode)
    // What was lost before is not refunded as well when another chargeback of the order is won.
    if (state === 'lost' || (state === 'won' && isDecided)) await setOff(scope, refund, ['iban-needed', 'transferring', 'on-hold'])
  }
  if (state === 'won' && !(await isChargedBack(db, customerOrderId)))
    for (const { id: refundId } of refunds)
      if (await moveRefund(db, refundId, ['on-hold'], 'requested'))
        scope.emit('refund.released', { refundId, customerOrderId, chargebackId })
  await notifyOfChargeback(scope, chargeback, state)
}
