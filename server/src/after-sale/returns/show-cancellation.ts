import { wordsFor } from '@purlin/words/catalogues.ts'
import { authorize } from '#accounts'
import { findOrder, quantityStates } from '#orders'
import type { Scope } from '#platform'
import { showMoney } from '#pricing'
import { readRefundedBefore, refundOfUnits } from '#refunds'
import { planCancellation } from './cancellation.ts'
import { openLines, readCancellations, readOpenCancellations } from './cancellation-store.ts'

/** What of a seller's part can be cancelled, how, and what would be refunded; null for another person's order. */
export async function showCancellation(
  scope: Scope,
  customerOrderId: string,
  sellerOrderId: string,
  wanted: readonly { offerId: string; quantity: number }[],
) {
  const order = await findOrder(scope, 'order.see', customerOrderId)
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  if (!order || !part) return null
  const { market } = order
  const [pieces, requests, before] = await Promise.all([
    quantityStates(scope.db, [sellerOrderId]),
    readCancellations(scope.db, sellerOrderId),
    readRefundedBefore(scope.db, sellerOrderId),
  ])
  const open = openLines(requests)
  const everything = planCancellation(
    pieces,
    part.lines.map(({ offerId, quantity }) => ({ offerId, quantity })),
    open,
  )
  const plan = planCancellation(pieces, wanted, open)
  const amountOf = (of: 'now' | 'asked'): number =>
    refundOfUnits(
      part,
      before.lines,
      plan.map((line) => ({ offerId: line.offerId, quantity: line[of] })),
      'full',
      false,
    ).reduce((all, { goods, delivery }) => all + goods + delivery, 0)
  const t = wordsFor(market)
  const chosen = (offerId: string) => plan.find((line) => line.offerId === offerId)
  return {
    sellerName: part.seller.name,
    mayCancel: authorize(scope, 'order.cancel', order),
    lines: part.lines.map(({ offerId, quantity, snapshot }) => {
      const can = everything.find((line) => line.offerId === offerId)
      return {
        offerId,
        title: snapshot.title,
        imageUrl: snapshot.imageUrl,
        quantity,
        now: can?.now ?? 0,
        onRequest: can?.asked ?? 0,
        chosenNow: chosen(offerId)?.now ?? 0,
        chosenOnRequest: chosen(offerId)?.asked ?? 0,
      }
    }),
    refundNow: showMoney(market, amountOf('now')),
    refundOnRequest: showMoney(market, amountOf('asked')),
    requests: requests.map(({ id, state, requestedAt, lines, note }) => ({
      id,
      stateLabel: t(`cancellation.state.${state}`),
      requestedAt,
      pieces: lines.reduce((all, { now, asked }) => all + now + asked, 0),
      note,
    })),
  }
}

/** The requests a seller has to answer, oldest first. */
export async function listCancellationRequests(scope: Scope) {
  const { principal } = scope
  if (!('sellerId' in principal)) return []
  return (await readOpenCancellations(scope.db, principal.sellerId, scope.market)).map(
    ({ id, sellerOrderId, reason, requestedAt, lines }) => ({
      id,
      sellerOrderId,
      reason,
      requestedAt,
      lines: lines.map(({ offerId, asked }) => ({ offerId, quantity: asked })),
    }),
  )
}
