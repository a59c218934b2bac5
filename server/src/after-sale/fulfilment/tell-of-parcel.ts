import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { customerIdOfOwner } from '#accounts'
import { sendMail } from '#mail'
import { allowByToken, originOf, readOrder } from '#orders'
import { pointLines, showPoint } from '#pickup'
import { newId, settings, type JobScope } from '#platform'
import { pushTo } from '#push'
import { sendSms } from '#sms'
import { collectMails, type CollectMailKind } from './collect-mails.ts'
import { parcelToken } from './parcel-token.ts'
import type { Parcel } from './store.ts'

/** Tells the buyer that a parcel waits at its pick-up point: when it has arrived there, and again before it goes back. */
export async function tellToCollect(scope: JobScope, parcel: Parcel, kind: CollectMailKind): Promise<void> {
  const { linkSecret } = settings().mail
  const { order, token } = await allowByToken(scope.db, linkSecret, parcel.customerOrderId)
  const part = order?.sellerOrders.find(({ id }) => id === parcel.sellerOrderId)
  // An erased buyer has no address any more.
  if (!order || !part || !parcel.heldUntil || !order.email.includes('@')) return
  const { id, market, mode } = order
  const point = part.pickUpPoint && showPoint(market, part.pickUpPoint, scope.now)
  const key = `parcel-${parcel.id}-${kind}-${newId()}`
  await sendMail(scope, collectMails[kind], {
    to: order.email,
    site: { market, mode, origin: originOf(order) },
    payload: {
      name: order.address.firstName,
      customerOrderId: id,
      sellerOrderId: part.id,
      seller: part.seller.name,
      heldUntil: parcel.heldUntil,
      place: point ? pointLines(point) : [],
      hours: point?.hours.map(({ days, hours }) => `${days} ${hours}`.trim()) ?? [],
      carrier: parcel.carrier,
      trackingNumber: parcel.trackingNumber,
      parcelToken: parcelToken(linkSecret, parcel.id),
      orderToken: token,
    },
    key,
  })
  const customerId = customerIdOfOwner(order.owner)
  if (customerId === null) return
  const t = wordsFor(market)
  await pushTo(scope.db, {
    title: t(`push.order.${kind}`),
    body: t('push.order.text', { id, seller: part.seller.name }).slice(0, 200),
    path: publicUrl('orderDetails', { customerOrderId: id, sellerOrderId: part.id }),
    key,
    customerId,
    market,
    mode,
    topic: 'orders',
  })
}

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
