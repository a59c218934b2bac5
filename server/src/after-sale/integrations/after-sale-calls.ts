import * as v from 'valibot'
import {
  disputeActions,
  disputeActors,
  disputeReasons,
  disputeStates,
  disputeWishes,
  listSellerDisputes,
  moveDispute,
  showDisputeToProgram,
} from '#disputes'
import { listSellerConversations, showConversation, writeMessage } from '#messages'
import { sellerIdOf } from '#accounts'
import { readOrderForStaff } from '#orders'
import type { Scope } from '#platform'
import { giveRefund } from '#refunds'
import {
  decideCancellation,
  exceptions,
  findings,
  handleReturn,
  listCancellationRequests,
  listReturnFeedback,
  listReturnsToHandle,
  returnStates,
  showReturnToProgram,
} from '#returns'
import { endpoint, found } from './endpoint.ts'
import { amount, cursor, id, market, money, next, note, offerId, orderId, quantity, time } from './schemas.ts'

const ofMarket = v.strictObject({ market })
const pieces = v.array(v.object({ offerId, quantity }))
const customerOrderOf = (part: string): string => part.replace(/-\d+$/, '')

/** A program works in all markets through any storefront: the order decides. */
async function inMarketOf(scope: Scope, part: string): Promise<Scope> {
  const order = await readOrderForStaff(scope.db, customerOrderOf(part), { sellerOrderId: part, sellerId: sellerIdOf(scope) })
  return order ? { ...scope, market: order.market } : scope
}

const written = v.object({ seq: v.number(), isMasked: v.boolean() })
const conversation = v.object({
  orderId,
  customerOrderId: v.string(),
  topic: v.nullable(v.string()),
  answerDueAt: v.nullable(time),
  hasOlder: v.boolean(),
  messages: v.array(
    v.object({
      id,
      seq: v.number(),
      author: v.picklist(['buyer', 'seller', 'operator']),
      body: v.string(),
      isMasked: v.boolean(),
      isUnread: v.boolean(),
      at: time,
    }),
  ),
})
const messages = { tag: 'Messages', action: 'conversation.serve' } as const

const messageCalls = [
  endpoint({
    ...messages,
    id: 'listConversations',
    method: 'get',
    path: '/conversations',
    summary: 'Conversations in a market, latest first, ten at a time',
    scope: 'messages:read',
    query: v.strictObject({ market, after: cursor, waiting: v.optional(v.picklist(['true', 'false'])) }),
    result: v.object({
      conversations: v.array(
        v.object({ orderId, customerOrderId: v.string(), lastAt: time, lastAuthor: v.string(), preview: v.string(), unread: v.number() }),
      ),
      next,
    }),
    handle: async (scope, { query: { market: at, after = null, waiting } }) => ({
      ok: true,
      body: await listSellerConversations({ ...scope, market: at }, { after, isWaiting: waiting === 'true' }),
    }),
  }),
  endpoint({
    ...messages,
    id: 'readMessages',
    method: 'get',
    path: '/orders/{orderId}/messages',
    summary: 'What was written about an order: the last fifty messages, or those before one of them',
    scope: 'messages:read',
    params: v.strictObject({ orderId }),
    query: v.strictObject({ before: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/))) }),
    result: conversation,
    handle: async (scope, { params, query: { before } }) =>
      found(
        await showConversation(
          await inMarketOf(scope, params.orderId),
          'conversation.serve',
          params.orderId,
          before === undefined ? null : Number(before),
        ),
      ),
  }),
  endpoint({
    ...messages,
    id: 'writeMessage',
    method: 'post',
    path: '/orders/{orderId}/messages',
    status: 201,
    summary: 'Answers the buyer; contact data and links to other sites are removed',
    scope: 'messages:write',
    params: v.strictObject({ orderId }),
    body: v.strictObject({ text: v.pipe(v.string(), v.nonEmpty(), v.maxLength(3000)) }),
    result: written,
    handle: async (scope, { params, body }) => {
      const done = await writeMessage(await inMarketOf(scope, params.orderId), 'conversation.serve', params.orderId, body)
      return done.ok ? { ok: true, body: done } : done
    },
  }),
]

const returns = { tag: 'Returns', action: 'return.handle' } as const
const handled = v.object({ id, state: v.picklist(returnStates) })
const shownReturn = v.object({
  id,
  number: v.string(),
  orderId,
  state: v.picklist(returnStates),
  reason: v.string(),
  wish: v.string(),
  wishedAmount: v.pipe(
    v.nullable(amount),
    v.description('Of the price, in minor units with VAT, for goods that the buyer keeps: accepting the return agrees to it'),
  ),
  description: v.string(),
  lines: pieces,
  requestedAt: time,
  photos: v.pipe(v.array(v.string()), v.description('Links that open for a while')),
})
const withOrderId = <Of extends { sellerOrderId: string }>({ sellerOrderId, ...each }: Of) => ({ ...each, orderId: sellerOrderId })

const returnCalls = [
  endpoint({
    ...returns,
    id: 'listReturns',
    method: 'get',
    path: '/returns',
    summary:
      'Unfinished returns in a market, and for sixty days lapsed ones, whose goods may still arrive; oldest first, a hundred at a time',
    scope: 'returns:read',
    query: v.strictObject({ market, after: cursor }),
    result: v.object({ returns: v.array(shownReturn), next }),
    handle: async (scope, { query: { market: at, after = null } }) => {
      const { items, next: cursorOfNext } = await listReturnsToHandle({ ...scope, market: at }, after)
      return { ok: true, body: { returns: items.map(withOrderId), next: cursorOfNext } }
    },
  }),
  endpoint({
    ...returns,
    id: 'readReturn',
    method: 'get',
    path: '/returns/{returnId}',
    summary: 'One return, in whichever market, also a finished one',
    scope: 'returns:read',
    params: v.strictObject({ returnId: id }),
    result: v.object({
      ...shownReturn.entries,
      market,
      basis: v.pipe(v.picklist(['withdrawal', 'guarantee', 'policy']), v.description('The right it rests on')),
      method: v.picklist(['label', 'home-collection', 'keep']),
      finding: v.nullable(v.picklist(findings)),
      note: v.pipe(v.nullable(v.string()), v.description("The seller's last note to the buyer")),
      replacementOrder: v.pipe(v.nullable(v.string()), v.description('The customer order that replaces the goods')),
    }),
    handle: async (scope, { params: { returnId } }) => {
      const own = await showReturnToProgram(scope, returnId)
      return found(own && withOrderId(own))
    },
  }),
  endpoint({
    ...returns,
    id: 'handleReturn',
    method: 'post',
    path: '/returns/{returnId}/steps',
    status: 201,
    summary:
      'A step of a return: accept, refuse (a withdrawal only if the law excepts the goods, with the exception as the finding: before they come back if they are made to order or perishable, otherwise after an inspection; goods refused after an inspection go back with an order without payment), receive, inspect with a finding, refund (less than the price only if the buyer named a part of it, and no less than that, or after an inspection of goods that nothing was wrong with, with a note), exchange, which orders a replacement without payment',
    scope: 'returns:write',
    params: v.strictObject({ returnId: id }),
    body: v.strictObject({
      market,
      do: v.picklist(['accept', 'refuse', 'receive', 'inspect', 'refund', 'exchange']),
      finding: v.optional(v.picklist([...findings, ...exceptions])),
      amount: v.optional(amount),
      note: v.optional(note(500)),
    }),
    result: handled,
    handle: async (
      scope,
      { params: { returnId }, body: { market: at, do: deed, finding = '', amount: part = null, note: why = null } },
    ) => {
      const done = await handleReturn({ ...scope, market: at }, returnId, { do: deed, finding, amount: part, note: why })
      return done.ok ? { ok: true, body: { id: returnId, state: done.state } } : done
    },
  }),
  endpoint({
    ...returns,
    id: 'listReturnFeedback',
    method: 'get',
    path: '/return-feedback',
    summary: 'Feedback of buyers on returns in a market, latest first, fifty at a time',
    scope: 'returns:read',
    query: v.strictObject({ market, after: cursor }),
    result: v.object({
      feedback: v.array(
        v.object({ id, number: v.string(), orderId, reason: v.string(), rating: v.number(), comment: v.nullable(v.string()) }),
      ),
      next,
    }),
    handle: async (scope, { query: { market: at, after = null } }) => {
      const { items, next: cursorOfNext } = await listReturnFeedback({ ...scope, market: at }, after)
      return {
        ok: true,
        body: { feedback: items.map(withOrderId), next: cursorOfNext },
      }
    },
  }),
  endpoint({
    ...returns,
    id: 'listCancellationRequests',
    method: 'get',
    path: '/cancellation-requests',
    summary: 'Requests of buyers in a market to cancel accepted pieces, oldest first',
    scope: 'returns:read',
    query: ofMarket,
    result: v.object({ requests: v.array(v.object({ id, orderId, reason: v.string(), requestedAt: time, lines: pieces })) }),
    handle: async (scope, { query }) => {
      const all = await listCancellationRequests({ ...scope, market: query.market })
      return { ok: true, body: { requests: all.map(withOrderId) } }
    },
  }),
  endpoint({
    ...returns,
    id: 'decideCancellation',
    method: 'post',
    path: '/cancellation-requests/{requestId}/decision',
    summary: 'Grants or refuses a request to cancel',
    scope: 'returns:write',
    params: v.strictObject({ requestId: id }),
    body: v.strictObject({ market, grant: v.boolean(), note: v.optional(note(500)) }),
    result: v.object({ id, state: v.picklist(['granted', 'refused']) }),
    handle: async (scope, { params: { requestId }, body: { market: at, grant, note: why = null } }) => {
      const done = await decideCancellation({ ...scope, market: at }, requestId, grant, why)
      return done.ok ? { ok: true, body: { id: requestId, state: done.state } } : done
    },
  }),
]

const moneyCalls = [
  endpoint({
    id: 'giveRefund',
    method: 'post',
    path: '/orders/{orderId}/refunds',
    status: 201,
    summary: 'Gives back part of the price of a line, or without a line an amount as goodwill; at most what is left',
    tag: 'Refunds',
    scope: 'refunds:write',
    action: 'refund.give',
    params: v.strictObject({ orderId }),
    body: v.strictObject({ amount, offerId: v.optional(offerId) }),
    result: v.object({ refundId: id }),
    handle: async (scope, { params: { orderId: part }, body: { amount: given, offerId: line = null }, key }) => {
      const wish = { customerOrderId: customerOrderOf(part), sellerOrderId: part, offerId: line, amount: given, idempotencyKey: key }
      const done = await giveRefund(await inMarketOf(scope, part), wish)
      return done.ok ? { ok: true, body: { refundId: done.refundId } } : done
    },
  }),
]

const disputes = { tag: 'Disputes', action: 'dispute.serve' } as const

const disputeCalls = [
  endpoint({
    ...disputes,
    id: 'listDisputes',
    method: 'get',
    path: '/disputes',
    summary: 'The latest fifty disputes in a market',
    scope: 'disputes:read',
    query: ofMarket,
    result: v.object({
      disputes: v.array(
        v.object({ id, number: v.string(), orderId, reason: v.string(), state: v.string(), openedAt: time, dueAt: v.nullable(time) }),
      ),
    }),
    handle: async (scope, { query }) => ({ ok: true, body: { disputes: await listSellerDisputes({ ...scope, market: query.market }) } }),
  }),
  endpoint({
    ...disputes,
    id: 'readDispute',
    method: 'get',
    path: '/disputes/{disputeId}',
    summary: 'One dispute, in whichever market, with its steps and the moves that the seller can make now',
    scope: 'disputes:read',
    params: v.strictObject({ disputeId: id }),
    result: v.object({
      id,
      number: v.string(),
      orderId,
      customerOrderId: v.string(),
      market,
      reason: v.picklist(disputeReasons),
      wish: v.picklist(disputeWishes),
      state: v.picklist(disputeStates),
      wanted: money,
      offered: v.nullable(money),
      decided: v.nullable(money),
      openedAt: time,
      dueAt: v.nullable(time),
      endedAt: v.nullable(time),
      moves: v.array(v.picklist(disputeActions)),
      steps: v.array(
        v.object({
          position: v.number(),
          actor: v.picklist(disputeActors),
          action: v.picklist(disputeActions),
          note: v.string(),
          amount: v.nullable(money),
          at: time,
        }),
      ),
    }),
    handle: async (scope, { params: { disputeId } }) => found(await showDisputeToProgram(scope, disputeId)),
  }),
  endpoint({
    ...disputes,
    id: 'answerDispute',
    method: 'post',
    path: '/disputes/{disputeId}/moves',
    status: 201,
    summary: 'A move of the seller in a dispute',
    scope: 'disputes:write',
    params: v.strictObject({ disputeId: id }),
    body: v.strictObject({
      market,
      action: v.picklist(['add', 'offer', 'agree', 'contest', 'appeal']),
      note: v.optional(note(2000)),
      amount: v.optional(amount),
    }),
    result: v.object({ id }),
    handle: async (scope, { params: { disputeId }, body: { market: at, action, note: why = null, amount: offered = null } }) => {
      const done = await moveDispute({ ...scope, market: at }, 'dispute.serve', { id: disputeId, action, note: why, amount: offered })
      return done.ok ? { ok: true, body: { id: done.id } } : done
    },
  }),
]

export const afterSaleCalls = [...messageCalls, ...returnCalls, ...moneyCalls, ...disputeCalls]
