import { applyProviderState, creditProvider, paymentProvider, readPayment, ProviderRefusal, type ProviderPayment } from '#payments'
import { on } from '#platform'
import { notifyRefund } from './notify-refund.ts'
import { openAccount } from './seal-account.ts'
import { settleTransferred } from './settle-refund.ts'
import { markForHand, moveRefund, readAccount, readRefund } from './store.ts'

type Answer = { seen: ProviderPayment } | { refused: string }

/** Refusals after which provider and shop disagree about the money: a person must look. */
const disagreements: ReadonlySet<string> = new Set(['amount_too_large', 'not_refundable', 'unknown_intent', 'charge_already_refunded'])

export const handlers = [
  on('refund.requested', 'refunds.send', {
    call: async ({ db, signal }, { refundId }): Promise<Answer | null> => {
      const refund = await readRefund(db, refundId)
      const payment = refund && (await readPayment(db, refund.paymentId))
      if (refund?.state !== 'requested' || !payment?.providerReference) return null
      // The key belongs to the refund: however often the call is repeated, the money goes back once.
      const key = `refund-${refundId}`
      const { sellerOrderId, cause, amount } = refund
      // A credit provider is told whether the pieces were invoiced: cancelled ones never were.
      const reduction = { sellerOrderId, isInvoiced: cause !== 'cancellation' }
      const refunded =
        payment.method === 'invoice'
          ? creditProvider().refund(payment.providerReference, amount, { key, signal, reduction })
          : paymentProvider().refund(payment.providerReference, amount, { key, signal })
      return refunded.then((seen) => ({ seen }), refusalOf)
    },
    commit: async (scope, { refundId }, answer: Answer | null) => {
      const refund = answer && (await readRefund(scope.db, refundId))
      if (!refund) return
      if ('seen' in answer) {
        await applyProviderState(scope, refund.paymentId, answer.seen, 'refund')
        if (await moveRefund(scope.db, refundId, ['requested'], 'done')) await notifyRefund(scope, refund, 'done')
        return
      }
      const isDisputed = disagreements.has(answer.refused)
      if (isDisputed) scope.log.error({ refundId, code: answer.refused }, 'the provider refuses a refund that is due')
      const moved = await moveRefund(scope.db, refundId, ['requested'], isDisputed ? 'on-hold' : 'iban-needed', answer.refused)
      if (moved && !isDisputed) await notifyRefund(scope, refund, 'iban-needed')
    },
  }),
  on('refund.transfer-requested', 'refunds.transfer', {
    call: async ({ db, signal }, { refundId }): Promise<{ sent: true } | { refused: string } | null> => {
      const [refund, account] = [await readRefund(db, refundId), await readAccount(db, refundId)]
      if (!refund || !account) return null
      const { amount, currency, number } = refund
      const wish = { amount, currency, reference: `REFUND ${number}`, ...openAccount(refundId, account.account) }
      return paymentProvider()
        .transfer(wish, { key: `transfer-${refundId}-${account.transfers}`, signal })
        .then(() => ({ sent: true }), refusalOf)
    },
    commit: async (scope, { refundId }, answer: { sent: true } | { refused: string } | null) => {
      const refund = answer && (await readRefund(scope.db, refundId))
      if (!refund) return
      if ('sent' in answer) {
        if (!(await moveRefund(scope.db, refundId, ['transferring'], 'done'))) return
        await settleTransferred(scope, refund)
        return notifyRefund(scope, refund, 'done')
      }
      // The operator's bank makes the transfer; until then the refund stays as it is.
      if (answer.refused === 'transfers_unsupported') return markForHand(scope.db, refundId)
      if (await moveRefund(scope.db, refundId, ['transferring'], 'iban-needed', answer.refused))
        await notifyRefund(scope, refund, 'iban-needed')
    },
  }),
]

function refusalOf(error: unknown): { refused: string } {
  if (error instanceof ProviderRefusal) return { refused: error.code }
  throw error
}
