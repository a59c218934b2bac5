import type { Result } from '@purlin/contract/refusals.ts'
import { tellRefusal, type DeliveryChoice } from '#cart'
import type { ActionsOf, Scope } from '#platform'
import type { AddressInput } from './address-rules.ts'
import { chooseDelivery } from './choose-delivery.ts'
import { continueAsGuest } from './continue-as-guest.ts'
import { findFunnelStep } from './funnel.ts'
import { openOrderByToken } from './open-order-by-token.ts'
import { placeOrder, type PlaceOrder } from './place-order.ts'
import { reopenOrder } from './reopen-order.ts'
import { saveAddress } from './save-address.ts'
import type { OrderMoment } from './await-moment.ts'
import { showOrder, showOrderAt, type Known } from './show-order.ts'

type Nothing = unknown
interface OrderAnswer extends Known {
  orderId?: string
}

/** The order itself is read after the commit. */
async function answer(scope: Scope, result: Promise<Result<OrderAnswer>>): Promise<object> {
  const outcome = await result
  return outcome.ok ? { ...outcome, refusal: null } : { refusal: tellRefusal(scope.market, outcome) }
}

export const resolvers = {
  Query: {
    funnel: (_parent: Nothing, _args: Nothing, scope: Scope) => findFunnelStep(scope),
    customerOrder: (_parent: Nothing, { id, until }: { id: string; until?: OrderMoment | null }, scope: Scope) =>
      until ? showOrderAt(scope, id, until) : showOrder(scope, id),
  },
  Mutation: {
    continueAsGuest: async (_parent: Nothing, { email }: { email: string }, scope: Scope) => {
      const outcome = await continueAsGuest(scope, email)
      return { ok: outcome.ok, refusal: outcome.ok ? null : tellRefusal(scope.market, outcome) }
    },
    saveAddress: (_parent: Nothing, { input }: { input: AddressInput }, scope: Scope) => answer(scope, saveAddress(scope, input)),
    chooseDelivery: (_parent: Nothing, args: { customerOrderId: string; choices: DeliveryChoice[] }, scope: Scope) =>
      answer(scope, chooseDelivery(scope, args.customerOrderId, args.choices)),
    placeOrder: (_parent: Nothing, args: PlaceOrder, scope: Scope) => answer(scope, placeOrder(scope, args)),
    reopenOrder: (_parent: Nothing, { customerOrderId }: { customerOrderId: string }, scope: Scope) =>
      answer(scope, reopenOrder(scope, customerOrderId)),
    openOrderByToken: (_parent: Nothing, { token }: { token: string }, scope: Scope) => answer(scope, openOrderByToken(scope, token)),
  },
  // Worked out only for who asks.
  FunnelResult: {
    funnel: ({ ok }: { ok: boolean }, _args: Nothing, scope: Scope) => (ok ? findFunnelStep(scope) : null),
  },
  OrderResult: {
    order: ({ orderId, ...known }: OrderAnswer, _args: Nothing, scope: Scope) =>
      orderId === undefined ? null : showOrder(scope, orderId, known),
  },
}

export const actions = {
  'Query.funnel': 'checkout.see',
  'Query.customerOrder': 'order.see',
  'Mutation.continueAsGuest': 'guest.continue',
  'Mutation.saveAddress': 'order.draft',
  'Mutation.chooseDelivery': 'order.change',
  'Mutation.placeOrder': 'order.place',
  'Mutation.reopenOrder': 'order.change',
  'Mutation.openOrderByToken': 'order.open-link',
  'FunnelResult.funnel': 'checkout.see',
  'OrderResult.order': 'order.see',
} satisfies ActionsOf<typeof resolvers>
