import { wordsFor } from '@purlin/words/catalogues.ts'
import { toSaleResult } from '#fulfilment'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { addressFaults } from '#addresses'
import { acceptCollection, cancelCollection, changeCollectionAddress, type ChangedCollection } from './change-collection.ts'
import { listReturnFeedback, rateReturn, showReturnToRate, type RatedReturn } from './rate-return.ts'
import { showCollection } from './show-collection.ts'
import { acceptOrSendAgain } from './accept-or-send-again.ts'
import { cancelLines } from './cancel-lines.ts'
import { decideCancellation } from './decide-cancellation.ts'
import { handleReturn, stepByBuyer, type HandledReturn } from './handle-return.ts'
import { requestReturn, type RequestedReturn } from './request-return.ts'
import { listReturns, listReturnsToHandle, showReturn, showReturnOptions } from './show-return.ts'
import { listCancellationRequests, showCancellation } from './show-cancellation.ts'

export const resolvers = {
  Query: {
    cancellation: (_parent, { customerOrderId, sellerOrderId, lines }, scope: Scope) =>
      showCancellation(scope, customerOrderId, sellerOrderId, lines ?? []),
    returnOptions: (_parent, { customerOrderId, sellerOrderId, lines }, scope: Scope) =>
      showReturnOptions(scope, customerOrderId, sellerOrderId, lines ?? []),
    returnRequest: (_parent, { id }, scope: Scope) => showReturn(scope, id),
    returnsOfOrder: (_parent, { customerOrderId }, scope: Scope) => listReturns(scope, customerOrderId),
    returnsToHandle: async (_parent, { after }, scope: Scope) => (await listReturnsToHandle(scope, after ?? null)).items,
    homeCollection: (_parent, { token }, scope: Scope) => showCollection(scope, token),
    returnToRate: (_parent, { token }, scope: Scope) => showReturnToRate(scope, token),
    returnFeedback: (_parent, { after }, scope: Scope) => listReturnFeedback(scope, after ?? null),
    cancellationRequests: (_parent, _args, scope: Scope) => listCancellationRequests(scope),
  },
  Mutation: {
    cancelLines: async (_parent, { input }, scope: Scope) => {
      const done = await cancelLines(scope, input)
      if (done.ok) return { cancelled: done.now, requested: done.asked, refusal: null }
      const message = wordsFor(scope.market)(`cancellation.refusal.${done.reason}`)
      return { cancelled: 0, requested: 0, refusal: { reason: done.reason, message, fields: [] } }
    },
    requestReturn: async (_parent, { input }, scope: Scope) => {
      const asked = await requestReturn(scope, input)
      return asked.ok ? { id: asked.id, refusal: null } : refusedReturn(scope, asked.reason)
    },
    stepReturn: async (_parent, { id, isHandedOver }, scope: Scope) => {
      const done = await stepByBuyer(scope, id, isHandedOver ? 'in-transit' : 'closed')
      return done.ok ? { id, refusal: null } : refusedReturn(scope, done.reason)
    },
    acceptSale: (_parent, { sellerOrderId, lines }, scope: Scope) =>
      acceptOrSendAgain(scope, { sellerOrderId, lines: lines ?? null }).then(toSaleResult),
    handleReturn: async (_parent, { id, do: deed, finding, amount, note }, scope: Scope) => {
      const done = await handleReturn(scope, id, { do: deed, finding: finding ?? '', amount: amount ?? null, note: note ?? null })
      return done.ok ? { id, refusal: null } : refusedReturn(scope, done.reason)
    },
    acceptHomeCollection: async (_parent, { token, appointment }, scope: Scope) =>
      linkResult(scope, await acceptCollection(scope, token, appointment)),
    changeHomeCollectionAddress: async (_parent, { token, input }, scope: Scope) =>
      linkResult(scope, await changeCollectionAddress(scope, token, input)),
    cancelHomeCollection: async (_parent, { token }, scope: Scope) => linkResult(scope, await cancelCollection(scope, token)),
    rateReturn: async (_parent, { token, rating, comment }, scope: Scope) =>
      linkResult(scope, await rateReturn(scope, token, { rating, comment: comment ?? '' })),
    decideCancellation: async (_parent, { id, grant, note }, scope: Scope) => {
      const done = await decideCancellation(scope, id, grant, note ?? null)
      if (done.ok) return { ok: true, refusal: null }
      const message = wordsFor(scope.market)(`cancellation.refusal.${done.reason}`)
      return { ok: false, refusal: { reason: done.reason, message, fields: [] } }
    },
  },
} satisfies Resolvers

function linkResult({ market }: Scope, done: ChangedCollection | RatedReturn) {
  if (done.ok) return { ok: true, refusal: null }
  if (done.reason === 'address-invalid') return { ok: false, refusal: { reason: done.reason, ...addressFaults(market, done.fields) } }
  return { ok: false, refusal: { reason: done.reason, message: wordsFor(market)(`collection.refusal.${done.reason}`), fields: [] } }
}

type ReturnRefusal = Extract<RequestedReturn | HandledReturn, { ok: false }>['reason']

function refusedReturn({ market }: Scope, reason: ReturnRefusal) {
  return { id: null, refusal: { reason, message: wordsFor(market)(`returns.refusal.${reason}`), fields: [] } }
}

export const actions = {
  'Query.cancellation': 'order.see',
  'Query.returnOptions': 'order.see',
  'Query.returnRequest': 'order.see',
  'Query.returnsOfOrder': 'order.see',
  'Query.returnsToHandle': 'return.handle',
  'Mutation.requestReturn': 'return.ask',
  'Mutation.stepReturn': 'return.ask',
  'Mutation.acceptSale': 'sellerOrder.handle',
  'Mutation.handleReturn': 'return.handle',
  'Query.homeCollection': 'return.follow-link',
  'Query.returnFeedback': 'return.handle',
  'Query.returnToRate': 'return.follow-link',
  'Mutation.acceptHomeCollection': 'return.follow-link',
  'Mutation.changeHomeCollectionAddress': 'return.follow-link',
  'Mutation.cancelHomeCollection': 'return.follow-link',
  'Mutation.rateReturn': 'return.follow-link',
  'Query.cancellationRequests': 'return.handle',
  'Mutation.cancelLines': 'order.cancel',
  'Mutation.decideCancellation': 'return.handle',
} satisfies ActionsOf<typeof resolvers>
