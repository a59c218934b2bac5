import { sendMail } from '#mail'
import { blankEmail, orderToken, readOrder, type CustomerOrder, type SellerOrder } from '#orders'
import { settings, type JobScope } from '#platform'
import { knownSellers } from '#sellers'
import type { Cancellation } from './cancellation.ts'
import { cancellationDecisionMail, cancellationRequestMail } from './cancellation-mails.ts'

/** Asks the seller by mail whether accepted pieces may be cancelled. */
export async function notifySellerOfRequest(
  scope: JobScope,
  order: CustomerOrder,
  part: SellerOrder,
  { id, lines, reason }: Pick<Cancellation, 'id' | 'lines' | 'reason'>,
): Promise<void> {
  const seller = (await knownSellers(scope, [part.sellerId])).get(part.sellerId)
  if (!seller) return
  await sendMail(scope, cancellationRequestMail, {
    to: seller.email,
    site: siteOf(order),
    payload: { sellerName: part.seller.name, sellerOrderId: part.id, reason, items: itemsOf(part, lines) },
    key: `cancellation:${id}:seller`,
  })
}

/** Tells the buyer what the seller has decided. */
export async function notifyBuyerOfDecision(
  scope: JobScope,
  { id, customerOrderId, sellerOrderId, lines }: Cancellation,
  decision: 'granted' | 'refused' | 'overtaken',
): Promise<void> {
  const order = await readOrder(scope.db, customerOrderId)
  const part = order?.sellerOrders.find((each) => each.id === sellerOrderId)
  if (!order || !part || order.email === blankEmail) return
  await sendMail(scope, cancellationDecisionMail, {
    to: order.email,
    site: siteOf(order),
    payload: {
      decision,
      firstName: order.address.firstName,
      sellerName: part.seller.name,
      customerOrderId,
      sellerOrderId,
      token: orderToken(settings().mail.linkSecret, order.id),
      items: itemsOf(part, lines),
    },
    key: `cancellation:${id}:buyer`,
  })
}

export function siteOf({ market, mode }: Pick<CustomerOrder, 'market' | 'mode'>) {
  return { market, mode, origin: settings().hosts.site(market, mode).origin }
}

function itemsOf(part: SellerOrder, lines: Cancellation['lines']): { title: string; quantity: number }[] {
  return lines.flatMap(({ offerId, asked }) => {
    const line = part.lines.find((each) => each.offerId === offerId)
    return line && asked > 0 ? [{ title: line.snapshot.title, quantity: asked }] : []
  })
}
