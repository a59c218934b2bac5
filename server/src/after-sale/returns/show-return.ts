import { wordsFor } from '@purlin/words/catalogues.ts'
import { authorize } from '#accounts'
import { carrierOfShop } from '#fulfilment'
import { findOrder, noOrderId, orderToken, type OrderSeen } from '#orders'
import { settings, type Scope } from '#platform'
import { showMoney } from '#pricing'
import { readRefundedBefore, refundOfUnits } from '#refunds'
import { addressLine, knownSellers } from '#sellers'
import { uploadLink } from '#uploads'
import { isUuid } from './decide-cancellation.ts'
import { findReturnable } from './find-returnable.ts'
import { collectionOf } from './show-collection.ts'
import { offeredReturn, returnReasons } from './offered-return.ts'
import { canHandOver, canReturnStep, type ReturnRequest } from './return-request.ts'
import { readAnyReturn, readReturn, readReturnsOf, readReturnsToHandle } from './return-store.ts'

/** What of a seller's part can be returned and on which grounds; null for another person's order. */
export async function showReturnOptions(
  scope: Scope,
  customerOrderId: string,
  sellerOrderId: string,
  wanted: readonly { offerId: string; quantity: number }[],
) {
  const found = await findReturnable(scope, 'order.see', customerOrderId, sellerOrderId)
  if (!found) return null
  const { order, part, paidPart, about, pieces } = found
  const before = await readRefundedBefore(scope.db, paidPart.id)
  const t = wordsFor(order.market)
  return {
    sellerName: part.seller.name,
    mayReturn: authorize(scope, 'return.ask', order),
    lines: part.lines.map(({ offerId, snapshot }) => ({
      offerId,
      title: snapshot.title,
      imageUrl: snapshot.imageUrl,
      returnable: pieces.get(offerId) ?? 0,
      chosen: Math.min(pieces.get(offerId) ?? 0, wanted.find((line) => line.offerId === offerId)?.quantity ?? 0),
    })),
    reasons: returnReasons.flatMap((reason) => {
      const offer = offeredReturn(reason, about)
      if (!offer) return []
      const lines = refundOfUnits(paidPart, before.lines, wanted, offer.delivery)
      const amount = lines.reduce((all, line) => all + line.goods + line.delivery, 0)
      const { basis, wishes, methods, needsPhotos, daysLeft } = offer
      return [
        {
          reason,
          reasonLabel: t(`returns.reason.${reason}`),
          isWithdrawal: basis === 'withdrawal',
          wishes: wishes.map((value) => ({ value, label: t(`returns.wish.${value}`) })),
          methods: methods.map((value) => ({ value, label: t(`returns.method.${value === 'label' && !carrierOfShop() ? 'own' : value}`) })),
          needsPhotos,
          daysLeft,
          refund: showMoney(order.market, amount),
        },
      ]
    }),
  }
}

/** A return of the principal's order; null for anybody else's. */
export async function showReturn(scope: Scope, id: string) {
  const request = isUuid(id) ? await readReturn(scope.db, id, scope.market) : undefined
  // As many statements for an unknown return as for another person's.
  const order = await findOrder(scope, 'order.see', request?.customerOrderId ?? noOrderId)
  return request && order ? show(scope, request, order) : null
}

/** The returns of an order, oldest first; null for anybody else's order. */
export async function listReturns(scope: Scope, customerOrderId: string) {
  const order = await findOrder(scope, 'order.see', customerOrderId)
  if (!order) return null
  return Promise.all((await readReturnsOf(scope.db, customerOrderId)).map((request) => show(scope, request, order)))
}

async function show(scope: Scope, request: ReturnRequest, order: OrderSeen) {
  const t = wordsFor(order.market)
  const part = order.sellerOrders.find((each) => each.id === request.sellerOrderId)
  const seller = (await knownSellers(scope, [request.sellerId])).get(request.sellerId)
  const mayAsk = authorize(scope, 'return.ask', order)
  const { id, number, customerOrderId, sellerOrderId, state, reason, wish, wishedAmount, requestedAt, decisionNote } = request
  const { replacementOrder } = request
  return {
    id,
    number,
    customerOrderId,
    sellerOrderId,
    state,
    stateLabel: t(`returns.state.${state}`),
    reasonLabel: t(`returns.reason.${reason}`),
    wish,
    wishLabel: t(`returns.wish.${wish}`),
    wishedAmount: wishedAmount === null ? null : showMoney(order.market, wishedAmount),
    requestedAt,
    decisionNote,
    sellerName: part?.seller.name ?? '',
    sellerAddress: seller && part ? [part.seller.legalName, addressLine(seller.address)] : [],
    labelUrl: request.labelFile === null ? null : `/api/v1/returns/${id}/label`,
    isLabelAwaited: request.labelFile === null && request.method === 'label' && carrierOfShop() !== null,
    replacement: replacementOrder === null ? null : replacementOf(replacementOrder, request.sellerId),
    isSentBack: replacementOrder !== null && !request.isSettled,
    replacementToken: replacementOrder !== null && order.isShared ? orderToken(settings().mail.linkSecret, replacementOrder) : null,
    collection: await collectionOf(scope, request, mayAsk),
    canHandOver: mayAsk && canHandOver(request),
    canGiveUp: mayAsk && canReturnStep(state, 'closed', 'buyer') && (state === 'requested' || state === 'label-sent'),
    lines: request.lines.map(({ offerId, quantity }) => ({
      offerId,
      quantity,
      title: part?.lines.find((line) => line.offerId === offerId)?.snapshot.title ?? '',
    })),
  }
}

const replacementOf = (customerOrderId: string, sellerId: number) => ({ customerOrderId, sellerOrderId: `${customerOrderId}-${sellerId}` })

const pageSize = 100
/** Days for which the goods of a lapsed return may still arrive. */
const lateDays = 60

/** Unfinished returns of the acting seller, and lapsed ones whose goods may still arrive, oldest first; `after` is the number of the last one of the page before. */
export async function listReturnsToHandle(scope: Scope, after: string | null) {
  const { principal } = scope
  if (!('sellerId' in principal)) return { items: [], next: null }
  const number = /^\d{1,15}$/.test(after ?? '') ? Number(after) : 0
  const lapsedSince = new Date(scope.now.getTime() - lateDays * 86_400_000)
  const which = { sellerId: principal.sellerId, market: scope.market, after: number, limit: pageSize + 1, lapsedSince }
  const rows = await readReturnsToHandle(scope.db, which)
  const page = rows.slice(0, pageSize)
  const items = page.map((request) => forSeller(scope, request))
  return { items, next: rows.length > pageSize ? (page.at(-1)?.number ?? null) : null }
}

function forSeller(scope: Scope, request: ReturnRequest) {
  const { id, number, sellerOrderId, state, reason, wish, wishedAmount, description, lines, requestedAt, photos } = request
  const links = photos.map((photo) => uploadLink(scope.origin, photo, scope.now))
  return { id, number, sellerOrderId, state, reason, wish, wishedAmount, description, lines, requestedAt, photos: links }
}

/** A return for a program of its seller, which works in all markets: the return decides. Null for another seller's. */
export async function showReturnToProgram(scope: Scope, id: string) {
  const request = isUuid(id) ? await readAnyReturn(scope.db, id) : undefined
  if (!request || !authorize({ ...scope, market: request.market }, 'return.handle', { sellerId: request.sellerId })) return null
  const { market, basis, method, finding, decisionNote, replacementOrder } = request
  return { ...forSeller(scope, request), market, basis, method, finding, note: decisionNote, replacementOrder }
}
