import { sendMail } from '#mail'
import { blankEmail, orderToken, readOrder } from '#orders'
import { settings, type JobScope } from '#platform'
import { showMoney } from '#pricing'
import { addressLine, knownSellers } from '#sellers'
import { siteOf } from './notify-cancellation.ts'
import { returnToken } from './return-link.ts'
import { returnAwaitedMail, returnMail, returnNoticeMail, type AwaitedNotice, type ReturnNews } from './return-mails.ts'
import { endsWithoutGoodsAt, lapsesAt, type ReturnRequest } from './return-request.ts'

/** Acknowledges a request to the buyer, with its content and time, and passes on what the seller decides. */
export async function notifyReturn(scope: JobScope, request: ReturnRequest, what: ReturnNews, deduction = 0): Promise<void> {
  const order = await readOrder(scope.db, request.customerOrderId)
  const part = order?.sellerOrders.find(({ id }) => id === request.sellerOrderId)
  if (!order || !part) return
  const seller = (await knownSellers(scope, [part.sellerId])).get(part.sellerId)
  const items = request.lines.map(({ offerId, quantity }) => ({
    title: part.lines.find((line) => line.offerId === offerId)?.snapshot.title ?? '',
    quantity,
  }))
  // Colleagues may send back what an erased member has ordered.
  if (order.email !== blankEmail)
    await sendMail(scope, returnMail, {
      to: order.email,
      site: siteOf(order),
      payload: {
        what,
        request,
        items,
        deduction: deduction > 0 ? showMoney(order.market, deduction).formatted : null,
        at: deadlineOf(request, what, scope.now) ?? scope.now,
        name: `${order.address.firstName} ${order.address.lastName}`.trim(),
        sellerName: part.seller.name,
        sellerAddress: seller ? [part.seller.legalName, addressLine(seller.address)] : [part.seller.legalName],
        token: returnToken(request.id),
        orderToken: orderToken(settings().mail.linkSecret, order.id),
      },
      // Goods may be handed over several times.
      key: `return:${request.id}:${what}${repeatable.has(what) ? `:${request.updatedAt.getTime()}` : ''}`,
    })
  if (what !== 'requested' || !seller) return
  const wishedAmount = request.wishedAmount === null ? null : showMoney(order.market, request.wishedAmount).formatted
  await sendMail(scope, returnNoticeMail, {
    to: seller.email,
    site: siteOf(order),
    payload: { request, wishedAmount, items, sellerName: part.seller.name },
    key: `return:${request.id}:seller`,
  })
}

const repeatable: ReadonlySet<ReturnNews> = new Set(['new-label', 'reminder', 'unseen'])

function deadlineOf(request: ReturnRequest, what: ReturnNews, now: Date): Date | undefined {
  if (what === 'reminder') return lapsesAt(request.updatedAt, now)
  return what === 'unseen' ? endsWithoutGoodsAt(request, now) : undefined
}

/** Asks the seller whether goods have arrived, and says what happens otherwise and when. */
export async function notifySellerOfAwaited(scope: JobScope, request: ReturnRequest, what: AwaitedNotice): Promise<void> {
  const order = await readOrder(scope.db, request.customerOrderId)
  const seller = order && (await knownSellers(scope, [request.sellerId])).get(request.sellerId)
  if (!order || !seller) return
  const { number, sellerOrderId } = request
  await sendMail(scope, returnAwaitedMail, {
    to: seller.email,
    site: siteOf(order),
    payload: { what, number, sellerOrderId, sellerName: seller.name, at: endsWithoutGoodsAt(request, scope.now) },
    key: `return:${request.id}:seller:${what}:${request.updatedAt.getTime()}`,
  })
}
