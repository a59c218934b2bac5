import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import type { MovedPieces } from '#events'
import { customerIdOfOwner } from '#accounts'
import { sendMail } from '#mail'
import { allowByToken, originOf } from '#orders'
import { newId, settings, type JobScope } from '#platform'
import { pushTo } from '#push'
import { sendSms } from '#sms'
import { knownSellers } from '#sellers'
import { incidentEnd } from './incidents.ts'
import { escalationMail, reminderMail, shipmentMails, type ShipmentMailKind } from './mails.ts'
import { parcelToken } from './parcel-token.ts'
import { readParcel, type Due } from './store.ts'
import { moveLabel } from './words.ts'

/** Tells the buyer what became of some pieces, in an incident also of goods that are their own. Runs once per event, in its transaction. */
export async function tellBuyer(
  scope: JobScope,
  kind: ShipmentMailKind,
  moved: MovedPieces,
  { areOwn = false }: { areOwn?: boolean } = {},
): Promise<void> {
  const { linkSecret } = settings().mail
  const { order, token } = await allowByToken(scope.db, linkSecret, moved.customerOrderId)
  const part = order?.sellerOrders.find(({ id }) => id === moved.sellerOrderId)
  // An erased buyer has no address any more.
  if (!order || !part || !order.email.includes('@')) return
  const parcel = moved.parcelId === null ? undefined : await readParcel(scope.db, moved.parcelId)
  const { market, mode } = order
  const quantity = moved.lines.reduce((sum, line) => sum + line.quantity, 0)
  const to = kind === 'not-coming' ? 'cancelled' : 'incident-open'
  await sendMail(scope, shipmentMails[kind], {
    to: order.email,
    site: { market, mode, origin: originOf(order) },
    payload: {
      name: order.address.firstName,
      customerOrderId: order.id,
      sellerOrderId: part.id,
      seller: part.seller.name,
      pieces: moved.lines.map((line) => ({
        title: part.lines.find(({ offerId }) => offerId === line.offerId)?.snapshot.title ?? '',
        quantity: line.quantity,
      })),
      because: kind === 'not-coming' || kind === 'incident' ? moveLabel(market, { to, reason: moved.reason, quantity }) : null,
      ends: kind === 'incident' || kind === 'left-at-point' ? incidentEnd({ reason: moved.reason, openedAt: scope.now, areOwn }) : null,
      carrier: parcel?.carrier ?? null,
      trackingNumber: parcel?.trackingNumber ?? null,
      parcelToken: parcel ? parcelToken(linkSecret, parcel.id) : null,
      orderToken: token,
    },
    key: `seller-order:${part.id}:${kind}:${newId()}`,
  })
  const customerId = customerIdOfOwner(order.owner)
  if (customerId === null || (kind !== 'shipped' && kind !== 'delivered')) return
  const t = wordsFor(market)
  // The page asks for a sign-in: a message on a locked screen opens nothing by itself.
  await pushTo(scope.db, {
    title: t(`push.order.${kind}`),
    body: t('push.order.text', { id: order.id, seller: part.seller.name }).slice(0, 200),
    path: publicUrl('orderDetails', { customerOrderId: order.id, sellerOrderId: part.id }),
    key: `order-${part.id}-${kind}-${newId()}`,
    customerId,
    market,
    mode,
    topic: 'orders',
  })
  if (kind !== 'shipped') return
  const text = t('sms.shipped', {
    id: order.id,
    url: originOf(order) + publicUrl('orderDetails', { customerOrderId: order.id, sellerOrderId: part.id }),
  })
  await sendSms(scope, { customerId, market, text, key: `order-${part.id}-${moved.parcelId ?? newId()}`, isAwaited: true })
}

export async function tellReminder(scope: JobScope, due: Due): Promise<void> {
  const { sellerOrderId, sellerId, kind, market, dueAt, step } = due
  const seller = (await knownSellers(scope, [sellerId])).get(sellerId)
  if (!seller || kind === 'close') return
  await sendMail(scope, reminderMail, {
    to: seller.email,
    site: siteOf(due),
    payload: { sellerOrderId, kind, dueAt },
    key: `due:${market}:${sellerOrderId}:${kind}:${dueAt.getTime()}:${step}`,
  })
}

export async function tellEscalation(scope: JobScope, due: Due): Promise<void> {
  const { sellerOrderId, kind, dueAt, step } = due
  const key = `due:${due.market}:${sellerOrderId}:${kind}:${dueAt.getTime()}:${step}`
  await sendMail(scope, escalationMail, { to: settings().operator.email, site: siteOf(due), payload: due, key })
}

function siteOf({ market }: Due) {
  const { origin } = settings().hosts.site(market, 'b2c')
  return { market, mode: 'b2c' as const, origin }
}
