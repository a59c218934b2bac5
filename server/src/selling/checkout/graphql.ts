import type { Result } from '@purlin/contract/refusals.ts'
import { cartBeside, describeRefusal } from '#cart'
import { isOrderId, orderBeside } from '#orders'
import type { ActionsOf, Scope, SiteScope } from '#platform'
import { describeReferenceRefusal, type NamesOfOrder } from '#purchasing'
import type { OrderReferenceInput, Resolvers } from '../../edges/generated/resolvers.ts'
import { approvalRefusal, decided, decisionOf } from './approval-answer.ts'
import { decideApproval, decideApprovalByToken, orderApproved, returnToCart } from './decide-approval.ts'
import { requestApproval } from './request-approval.ts'
import { countListed, listApprovals, showApproval, showApprovalByToken, showApprovalNeed } from './show-approval.ts'
import { chooseDelivery } from './choose-delivery.ts'
import { choosePaymentMethod, offerInvoice } from './choose-payment.ts'
import { showDeliverySlots } from './chosen-slots.ts'
import { continueAsGuest } from './continue-as-guest.ts'
import { findFunnelStep } from './funnel.ts'
import type { NamesRefused } from './name-order.ts'
import { openOrderByToken } from './open-order-by-token.ts'
import { exchangePoints } from './exchange-points.ts'
import { placeExpressOrder, showExpressCheckout } from './place-express-order.ts'
import { placeOrder } from './place-order.ts'
import { reopenOrder } from './reopen-order.ts'
import { chooseSavedAddress, chooseSite, saveAddress } from './save-address.ts'
import type { OrderAnswer } from './order-answer.ts'
import { showOrder, showOrderAt } from './show-order.ts'

/** The order itself is read after the commit. */
async function answer({ market }: Scope, result: Promise<Result<Omit<OrderAnswer, 'refusal'>> | NamesRefused>): Promise<OrderAnswer> {
  const outcome = await result
  if (outcome.ok) return { ...outcome, refusal: null }
  return { refusal: 'names' in outcome ? describeReferenceRefusal(market, outcome.names) : describeRefusal(market, outcome) }
}

/** What the reference of an order leaves out is taken away, but for its building site. */
function namesOf(reference: OrderReferenceInput | null | undefined): NamesOfOrder | null {
  if (!reference) return null
  const { purchaseOrder = null, costCentre = null, siteId } = reference
  return { purchaseOrder, costCentre, siteId }
}

export const resolvers = {
  Query: {
    deliverySlots: (_parent, { customerOrderId, sellerId }, scope: Scope) => showDeliverySlots(scope, customerOrderId, sellerId),
    approval: (_parent, { id }, scope: Scope) => showApproval(scope, id),
    approvalByToken: (_parent, { token }, scope: Scope) => showApprovalByToken(scope, token),
    approvals: (_parent, { state, page }, scope: Scope) => listApprovals(scope, state ?? null, page ?? 1),
    approvalCount: (_parent, { state }, scope: Scope) => countListed(scope, state ?? null),
    approvalNeed: (_parent, { customerOrderId }, scope: Scope) => showApprovalNeed(scope, customerOrderId),
    funnel: (_parent, _args, scope: Scope) => findFunnelStep(scope),
    expressCheckout: (_parent, _args, scope: Scope) => showExpressCheckout(scope),
    invoiceOffer: (_parent, { customerOrderId }, scope: Scope) => offerInvoice(scope, customerOrderId),
    customerOrder: (_parent, { id, until }, scope: Scope) => (until ? showOrderAt(scope, id, until) : showOrder(scope, id)),
  },
  Mutation: {
    requestApproval: async (_parent, args, scope: Scope) => {
      const requested = await requestApproval(scope, { ...args, points: args.points ?? [] })
      return requested.ok ? { id: requested.id, refusal: null } : { id: null, refusal: approvalRefusal(scope.market, requested) }
    },
    decideApproval: async (_parent, { id, decision }, scope: Scope) =>
      decided(scope.market, await decideApproval(scope, id, decisionOf(decision))),
    decideApprovalByToken: async (_parent, { token, decision }, scope: Scope) =>
      decided(scope.market, await decideApprovalByToken(scope, token, decisionOf(decision))),
    orderApproved: async (_parent, { id, idempotencyKey, payBy }, scope: Scope) => {
      const ordered = await orderApproved(scope, id, idempotencyKey, payBy ?? 'card')
      return ordered.ok ? { orderId: ordered.orderId, refusal: null } : { refusal: describeRefusal(scope.market, ordered) }
    },
    exchangeApprovalPoints: async (_parent, { id, points }, scope: Scope) => decided(scope.market, await exchangePoints(scope, id, points)),
    returnApprovalToCart: async (_parent, { id }, scope: Scope) => {
      const returned = await returnToCart(scope, id)
      return { ...decided(scope.market, returned), left: returned.ok ? returned.left : [] }
    },
    continueAsGuest: async (_parent, { email }, scope: Scope) => {
      const outcome = await continueAsGuest(scope, email)
      return { ok: outcome.ok, refusal: outcome.ok ? null : describeRefusal(scope.market, outcome) }
    },
    saveAddress: (_parent, { input }, scope: Scope) => answer(scope, saveAddress(scope, input)),
    chooseSavedAddress: (_parent, { addressId }, scope: Scope) => answer(scope, chooseSavedAddress(scope, addressId)),
    chooseSite: (_parent, { siteId }, scope: Scope) => answer(scope, chooseSite(scope, siteId)),
    chooseDelivery: (_parent, args, scope: Scope) => answer(scope, chooseDelivery(scope, args.customerOrderId, args.choices)),
    placeOrder: (_parent, { reference, ...args }, scope: Scope) => answer(scope, placeOrder(scope, { ...args, names: namesOf(reference) })),
    choosePaymentMethod: (_parent, args, scope: Scope) => answer(scope, choosePaymentMethod(scope, args)),
    placeExpressOrder: (_parent, { idempotencyKey, reference }, scope: Scope) =>
      answer(scope, placeExpressOrder(scope, idempotencyKey, namesOf(reference))),
    reopenOrder: (_parent, { customerOrderId }, scope: Scope) => answer(scope, reopenOrder(scope, customerOrderId)),
    openOrderByToken: (_parent, { token }, scope: Scope) => answer(scope, openOrderByToken(scope, token)),
  },
  // Computed only when requested.
  FunnelResult: {
    funnel: ({ ok }, _args, scope: Scope) => (ok ? findFunnelStep(scope) : null),
  },
  OrderResult: {
    order: ({ orderId, ...known }, _args, scope: Scope) => (orderId === undefined ? null : showOrder(scope, orderId, known)),
  },
} satisfies Resolvers

/** Read in the same statement as the session. */
export const besides = {
  'Query.customerOrder': ({ id }: { id: string }, { market }: SiteScope) => (isOrderId(id) ? orderBeside(id, market) : undefined),
  'Mutation.saveAddress': (_args: object, site: SiteScope) => cartBeside(site),
  'Mutation.chooseDelivery': ({ customerOrderId: id }: { customerOrderId: string }, { market }: SiteScope) =>
    isOrderId(id) ? orderBeside(id, market) : undefined,
}

export const actions = {
  'Query.deliverySlots': 'order.see',
  'Query.approval': 'approval.see',
  'Query.approvalByToken': 'approval.open-link',
  'Query.approvals': 'approval.see',
  'Query.approvalCount': 'approval.see',
  'Query.approvalNeed': 'approval.request',
  'Mutation.requestApproval': 'approval.request',
  'Mutation.decideApproval': 'approval.decide',
  'Mutation.decideApprovalByToken': 'approval.open-link',
  'Mutation.orderApproved': 'approval.request',
  'Mutation.exchangeApprovalPoints': 'approval.request',
  'Mutation.returnApprovalToCart': 'approval.request',
  'Query.funnel': 'checkout.see',
  'Query.expressCheckout': 'checkout.see',
  'Query.customerOrder': 'order.see',
  'Query.invoiceOffer': 'order.see',
  'Mutation.continueAsGuest': 'guest.continue',
  'Mutation.saveAddress': 'order.draft',
  'Mutation.chooseSavedAddress': 'order.draft',
  'Mutation.chooseSite': 'order.draft',
  'Mutation.chooseDelivery': 'order.change',
  'Mutation.placeOrder': 'order.place',
  'Mutation.choosePaymentMethod': 'order.place',
  'Mutation.placeExpressOrder': 'order.place',
  'Mutation.reopenOrder': 'order.change',
  'Mutation.openOrderByToken': 'order.open-link',
  'FunnelResult.funnel': 'checkout.see',
  'OrderResult.order': 'order.see',
} satisfies ActionsOf<typeof resolvers>
