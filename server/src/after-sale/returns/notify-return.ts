import { sendMail } from '#mail'
import { blankEmail, orderToken, readOrder } from '#orders'
import { settings, type JobScope } from '#platform'
import { showMoney } from '#pricing'
import { addressLine, knownSellers } from '#sellers'
import { siteOf } from './notify-cancellation.ts'
import { returnToken } from './return-link.ts'
import { returnMail, returnNoticeMail } from './return-mails.ts'
import { lapsesAt, type ReturnRequest } from './return-request.ts'

/** Acknowledges a request to the buyer, with its content and time, and passes on what the seller decides. */
export async function notifyReturn(
  scope: JobScope,
  request: ReturnRequest,
  what: 'requested' | 'accepted' | 'label' | 'reminder' | 'lapsed' | 'refused' | 'settled',
  deduction = 0,
): Promise<void> {
  const order = await readOrder(scope.db, request.customerOrderId)
  const part = order?.sellerOrders.find(({ id }) => id === request.sellerOrderId)
  if (!order || !part || order.email === blankEmail) return
  const seller = (await knownSellers(scope, [part.sellerId])).get(part.sellerId)
  const items = request.lines.map(({ offerId, quantity }) => ({
    title: part.lines.find((line) => line.offerId === offerId)?.snapshot.title ?? '',
    quantity,
  }))
  await sendMail(scope, returnMail, {
    to: order.email,
    site: siteOf(order),
    payload: {
      what,
      request,
      items,
      deduction: deduction > 0 ? showMoney(order.market, deduction).formatted : null,
      at: what === 'reminder' ? lapsesAt(request.updatedAt, scope.now) : scope.now,
      name: `${order.address.firstName} ${order.address.lastName}`.trim(),
      sellerName: part.seller.name,
      sellerAddress: seller ? [part.seller.legalName, addressLine(seller.address)] : [part.seller.legalName],
      token: returnToken(request.id),
      orderToken: orderToken(settings().mail.linkSecret, order.id),
    },
    // The time for handing goods over may begin again.
    key: `return:${request.id}:${what}${what === 'reminder' ? `:${request.updatedAt.getTime()}` : ''}`,
  })
  if (what !== 'requested' || !seller) return
  await sendMail(scope, returnNoticeMail, {
    to: seller.email,
    site: siteOf(order),
    payload: { request, items, sellerName: part.seller.name },
    key: `return:${request.id}:seller`,
  })
}
