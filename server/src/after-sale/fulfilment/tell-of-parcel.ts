import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { customerIdOfOwner } from '#accounts'
import { originOf, readOrder } from '#orders'
import type { JobScope } from '#platform'
import { pushTo } from '#push'
import { sendSms } from '#sms'
import type { Parcel } from './store.ts'

/** A report that arrives later than this is no longer about today. */
const freshMs = 8 * 3_600_000

/** Announces a parcel that is in the van, to customers who have agreed to push or text messages: once a day for each parcel. */
export async function tellOutForDelivery(scope: JobScope, parcel: Parcel, at: Date): Promise<void> {
  if (scope.now.getTime() - at.getTime() > freshMs) return
  const order = await readOrder(scope.db, parcel.customerOrderId)
  const part = order?.sellerOrders.find(({ id }) => id === parcel.sellerOrderId)
  const customerId = order && customerIdOfOwner(order.owner)
  if (!order || !part || !customerId) return
  const { id, market, mode } = order
  const t = wordsFor(market)
  const path = publicUrl('orderDetails', { customerOrderId: id, sellerOrderId: part.id })
  const key = `parcel-${parcel.id}-out-${at.toISOString().slice(0, 10)}`
  await pushTo(scope.db, {
    title: t('push.order.out-for-delivery'),
    body: t('push.order.text', { id, seller: part.seller.name }).slice(0, 200),
    path,
    key,
    customerId,
    market,
    mode,
    topic: 'orders',
  })
  await sendSms(scope, { customerId, market, text: t('sms.out-for-delivery', { id, url: originOf(order) + path }), key, isAwaited: true })
}
