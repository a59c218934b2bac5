import type { EventPayloads } from '#events'
import { book, type Entry } from '#ledger'
import {
  applyProviderState,
  creditProvider,
  lockPaymentOfOrder,
  paymentProvider,
  readPayment,
  returnRefunded,
  ProviderRefusal,
  type ProviderPayment,
} from '#payments'
import { on, type CallContext, type JobScope } from '#platform'
import { followChargeback } from './follow-chargeback.ts'
import { notifyOperator, notifyRefund } from './notify-refund.ts'
import { openAccount } from './seal-account.ts'
import { byHandCode, disputedCode, disputedCodes, owedOf } from './refund.ts'
import { endIfRepaid, holdBack, isChargedBack, settleTransferred } from './settle-refund.ts'
import { markForHand, moveRefund, readAccount, readRefund, readRefundsOf } from './store.ts'

interface ToSend {
  refundId: string
  chargebackId?: string
}
type Answer = { seen: ProviderPayment } | { refused: string }

/**
 * Reasons that another account mends. All others are for the operator: after a chargeback, for one, the buyer has the money
 * already, and a transfer would pay it twice.
 */
const byAccount: ReadonlySet<string> = new Set([
  'refund_declined',
  'expired_or_canceled_card',
  'lost_or_stolen_card',
  'declined',
  'unknown',
])

/**
 * The provider could not make a refund after all, sometimes days later: it is due again. The buyer is asked for an account where
 * that helps; otherwise the operator decides. Of several refunds of the same amount it does not matter which is due again.
 */
async function takeBack(scope: JobScope, { paymentId, customerOrderId, refundReference, amount, reason }: EventPayloads['refund.failed']) {
  await lockPaymentOfOrder(scope.db, customerOrderId)
  const all = (await readRefundsOf(scope.db, customerOrderId)).filter(
    // Those that the buyer's bank or the operator's paid were never made there.
    (each) => owedOf(each) === amount && each.ibanEnd === null && ![...disputedCodes, byHandCode].includes(each.failureCode ?? ''),
  )
  const refund = all.find(({ state }) => state === 'done')
  // The message was faster than the answer to the call: handled again once that is recorded.
  if (!refund && all.some(({ state }) => state === 'requested')) throw new Error(`The refund ${refundReference} failed before it was made`)
  const to = byAccount.has(reason) ? 'iban-needed' : 'on-hold'
  if (!refund || !(await moveRefund(scope.db, refund.id, ['done'], to, reason)))
    return scope.log.error({ paymentId, refundReference, reason }, 'a refund failed that was not made here')
  const payment = await readPayment(scope.db, paymentId)
  if (!payment || !(await returnRefunded(scope, payment, amount))) throw new Error(`The payment ${paymentId} never refunded ${amount}`)
  const entries: Entry[] = [
    { account: `provider:${payment.provider}`, amount },
    { account: 'refunds-due', amount: -amount },
  ]
  await book(scope.db, { key: `refund-failed:${refundReference}`, kind: 'refund', customerOrderId, currency: refund.currency, entries })
  scope.log.error({ refundId: refund.id, reason }, 'a refund failed after it was made')
  if (await holdBack(scope, refund, [to])) return
  return to === 'iban-needed' ? notifyRefund(scope, refund, 'iban-needed') : notifyOperator(scope, refund, reason)
}

/** Asks the provider for a refund, once it is requested, and again once a bank has decided that the payment stays. */
const send = {
  call: async ({ db, signal }: CallContext, { refundId, chargebackId }: ToSend): Promise<Answer | null> => {
    const refund = await readRefund(db, refundId)
    const payment = refund && (await readPayment(db, refund.paymentId))
    if (refund?.state !== 'requested' || !payment?.providerReference) return null
    // The key belongs to the refund: however often the call is repeated, the money goes back once. A provider repeats a refusal by
    // the same key; what it has refused until then has not been made.
    const key = chargebackId === undefined ? `refund-${refundId}` : `refund-${refundId}-${chargebackId}`
    const { sellerOrderId, cause } = refund
    const amount = owedOf(refund)
    // A credit provider is told whether the pieces were invoiced: cancelled ones never were.
    const reduction = { sellerOrderId, isInvoiced: cause !== 'cancellation' }
    const refunded =
      payment.method === 'invoice'
        ? creditProvider().refund(payment.providerReference, amount, { key, signal, reduction })
        : paymentProvider().refund(payment.providerReference, amount, { key, signal })
    return refunded.then((seen) => ({ seen }), refusalOf)
  },
  commit: async (scope: JobScope, { refundId, chargebackId }: ToSend, answer: Answer | null): Promise<void> => {
    const refund = answer && (await readRefund(scope.db, refundId))
    if (!refund) return
    if ('seen' in answer) {
      await applyProviderState(scope, refund.paymentId, answer.seen, 'refund')
      if (!(await moveRefund(scope.db, refundId, ['requested'], 'done'))) return
      await endIfRepaid(scope, refund.customerOrderId)
      return notifyRefund(scope, refund, 'done')
    }
    const to = byAccount.has(answer.refused) ? 'iban-needed' : 'on-hold'
    await lockPaymentOfOrder(scope.db, refund.customerOrderId)
    if (!(await moveRefund(scope.db, refundId, ['requested'], to, answer.refused)) || (await holdBack(scope, refund, [to]))) return
    if (to === 'iban-needed') return notifyRefund(scope, refund, 'iban-needed', chargebackId)
    scope.log.error({ refundId, code: answer.refused }, 'the provider refuses a refund that is due')
    await notifyOperator(scope, refund, answer.refused, chargebackId)
  },
}

export const handlers = [
  on('chargeback.changed', 'refunds.follow-chargeback', { commit: followChargeback }),
  on('refund.failed', 'refunds.take-back', { commit: takeBack }),
  on('refund.requested', 'refunds.send', send),
  on('refund.released', 'refunds.send-released', send),
  on('refund.transfer-requested', 'refunds.transfer', {
    call: async ({ db, signal }, { refundId }): Promise<{ sent: true } | { refused: string } | null> => {
      const [refund, account] = [await readRefund(db, refundId), await readAccount(db, refundId)]
      if (!refund || !account) return null
      if (await isChargedBack(db, refund.customerOrderId)) return { refused: disputedCode }
      const { currency, number } = refund
      const wish = { amount: owedOf(refund), currency, reference: `REFUND ${number}`, ...openAccount(refundId, account.account) }
      return paymentProvider()
        .transfer(wish, { key: `transfer-${refundId}-${account.transfers}`, signal })
        .then(() => ({ sent: true }), refusalOf)
    },
    commit: async (scope, { refundId }, answer: { sent: true } | { refused: string } | null) => {
      const refund = answer && (await readRefund(scope.db, refundId))
      if (!refund) return
      if ('sent' in answer) {
        await lockPaymentOfOrder(scope.db, refund.customerOrderId)
        if (!(await moveRefund(scope.db, refundId, ['transferring'], 'done'))) return
        await settleTransferred(scope, refund)
        return notifyRefund(scope, refund, 'done')
      }
      if (await holdBack(scope, refund, ['transferring'])) return
      // The operator's bank makes the transfer; until then the refund stays as it is.
      if (answer.refused === byHandCode) return markForHand(scope.db, refundId)
      if (await moveRefund(scope.db, refundId, ['transferring'], 'iban-needed', answer.refused))
        await notifyRefund(scope, refund, 'iban-needed')
    },
  }),
]

function refusalOf(error: unknown): { refused: string } {
  if (error instanceof ProviderRefusal) return { refused: error.code }
  throw error
}
