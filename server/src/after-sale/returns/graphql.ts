import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
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
    returnsToHandle: (_parent, _args, scope: Scope) => listReturnsToHandle(scope),
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
    handleReturn: async (_parent, { id, do: deed, finding, amount, note }, scope: Scope) => {
      const done = await handleReturn(scope, id, { do: deed, finding: finding ?? '', amount: amount ?? null, note: note ?? null })
      return done.ok ? { id, refusal: null } : refusedReturn(scope, done.reason)
    },
    decideCancellation: async (_parent, { id, grant, note }, scope: Scope) => {
      const done = await decideCancellation(scope, id, grant, note ?? null)
      if (done.ok) return { ok: true, refusal: null }
      const message = wordsFor(scope.market)(`cancellation.refusal.${done.reason}`)
      return { ok: false, refusal: { reason: done.reason, message, fields: [] } }
    },
  },
} satisfies Resolvers

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
  'Mutation.handleReturn': 'return.handle',
  'Query.cancellationRequests': 'return.handle',
  'Mutation.cancelLines': 'order.cancel',
  'Mutation.decideCancellation': 'return.handle',
} satisfies ActionsOf<typeof resolvers>
