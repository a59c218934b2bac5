import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { bearChargeback, listChargebacks } from './bear-chargeback.ts'
import { giveAccount } from './give-account.ts'
import { returnTransfer, settleAtProvider } from './correct-refund.ts'
import { dropRefund } from './drop-refund.ts'
import { confirmTransfer, giveRefund, listOpenRefunds } from './give-refund.ts'
import { listRefunds, showRefund } from './show-refund.ts'

export const resolvers = {
  Query: {
    refund: (_parent, { id }, scope: Scope) => showRefund(scope, id),
    refundsOfOrder: (_parent, { customerOrderId }, scope: Scope) => listRefunds(scope, customerOrderId),
    openRefunds: (_parent, _args, scope: Scope) => listOpenRefunds(scope),
    chargebacks: (_parent, _args, scope: Scope) => listChargebacks(scope),
  },
  Mutation: {
    giveRefundAccount: async (_parent, { refundId, iban, holder }, scope: Scope) => {
      const gave = await giveAccount(scope, refundId, { iban, holder })
      if (gave.ok) return { refund: await showRefund(scope, refundId), refusal: null }
      const t = wordsFor(scope.market)
      const faults = gave.reason === 'account-invalid' ? gave.faults : {}
      const fields = (['iban', 'holder'] as const).flatMap((field) => {
        const fault = faults[field]
        return fault ? [{ field, message: t(`refund.fault.${fault}`) }] : []
      })
      return { refund: null, refusal: { reason: gave.reason, message: t(`refund.refusal.${gave.reason}`), fields } }
    },
    giveRefund: async (_parent, { input }, scope: Scope) => {
      const gave = await giveRefund(scope, { ...input, offerId: input.offerId ?? null })
      if (gave.ok) return { refundId: gave.refundId, refusal: null }
      const message = wordsFor(scope.market)(`refund.refusal.${gave.reason}`)
      return { refundId: null, refusal: { reason: gave.reason, message, fields: [] } }
    },
    confirmRefundTransfer: (_parent, { refundId }, scope: Scope) => confirmTransfer(scope, refundId),
    returnRefundTransfer: (_parent, { refundId }, scope: Scope) => returnTransfer(scope, refundId),
    settleRefundAtProvider: (_parent, { refundId }, scope: Scope) => settleAtProvider(scope, refundId),
    dropRefund: (_parent, { refundId }, scope: Scope) => dropRefund(scope, refundId),
    bearChargeback: (_parent, { chargebackId, sellerOrderId }, scope: Scope) => bearChargeback(scope, chargebackId, sellerOrderId ?? null),
  },
} satisfies Resolvers

export const actions = {
  'Query.refund': 'order.see',
  'Query.refundsOfOrder': 'order.see',
  'Query.openRefunds': 'refund.settle',
  'Query.chargebacks': 'refund.settle',
  'Mutation.giveRefundAccount': 'refund.change',
  'Mutation.giveRefund': 'refund.give',
  'Mutation.confirmRefundTransfer': 'refund.settle',
  'Mutation.returnRefundTransfer': 'refund.settle',
  'Mutation.settleRefundAtProvider': 'refund.settle',
  'Mutation.dropRefund': 'refund.settle',
  'Mutation.bearChargeback': 'refund.settle',
} satisfies ActionsOf<typeof resolvers>
