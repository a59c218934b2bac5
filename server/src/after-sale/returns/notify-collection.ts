import { sendMail } from '#mail'
import { blankEmail, readOrder } from '#orders'
import type { JobScope } from '#platform'
import { isForgotten, type Collection } from './collection.ts'
import { collectionMail, type CollectionNotice } from './collection-mails.ts'
import { siteOf } from './notify-cancellation.ts'
import { returnToken } from './return-link.ts'
import type { ReturnRequest } from './return-request.ts'

/** Tells the buyer of the appointment and its address, with the links that change them. */
export async function notifyCollection(
  scope: JobScope,
  request: ReturnRequest,
  collection: Collection,
  what: CollectionNotice,
): Promise<void> {
  const order = await readOrder(scope.db, request.customerOrderId)
  const part = order?.sellerOrders.find(({ id }) => id === request.sellerOrderId)
  if (!order || !part || order.email === blankEmail || isForgotten(collection)) return
  await sendMail(scope, collectionMail, {
    to: order.email,
    site: siteOf(order),
    payload: {
      what,
      number: request.number,
      sellerName: part.seller.name,
      firstName: order.address.firstName,
      collection,
      token: returnToken(request.id),
      items: request.lines.map(({ offerId, quantity }) => ({
        title: part.lines.find((line) => line.offerId === offerId)?.snapshot.title ?? '',
        quantity,
      })),
    },
    key: `collection:${request.id}:${collection.round}:${what}`,
  })
}
