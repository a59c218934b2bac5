import { moveLines } from '#orders'
import { enqueue, settings, withIdempotency, type Scope } from '#platform'
import { dueAt, endOfDay } from './deadlines.ts'
import { findSale, promiseOf } from './find-sale.ts'
import { movesOf, staffIdOf, type Handled, type Handling } from './handle-sale.ts'
import { parcelToken, parcelTokenHash } from './parcel-token.ts'
import { carrierOfShop } from './carrier-of-shop.ts'
import { connectedCarrier } from './carrier.ts'
import { newParcelId, writeEvent, writeParcel } from './store.ts'

export interface Shipping extends Handling {
  /** A carrier of the seller's own, who has the parcel already; null for the shop's carrier, who is to collect it. */
  carrier: { name: string; trackingNumber: string } | null
  idempotencyKey: string
}

const isTrackingNumber = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9 -]{3,39}$/.test(text)
const isCarrierName = (text: string): boolean => /^[\p{L}\p{N}][\p{L}\p{N} .&'-]{1,39}$/u.test(text) && text !== connectedCarrier

/** Puts accepted pieces into a parcel. The same key ships once. */
export async function shipLines(scope: Scope, { sellerOrderId, lines, carrier, idempotencyKey }: Shipping): Promise<Handled> {
  const sale = await findSale(scope, 'sellerOrder.handle', sellerOrderId)
  if (!sale) return { ok: false, reason: 'unknown-order' }
  if (carrier === null && !carrierOfShop()) return { ok: false, reason: 'no-carrier' }
  if (carrier && !(isCarrierName(carrier.name) && isTrackingNumber(carrier.trackingNumber))) return { ok: false, reason: 'carrier-invalid' }
  const owner = `seller:${sale.part.sellerId}`
  return withIdempotency(scope, { owner, key: idempotencyKey, body: { sellerOrderId, lines, carrier } }, () => ship())

  async function ship(): Promise<Handled> {
    const { order, part } = sale as NonNullable<typeof sale>
    const { market } = order
    const parcelId = newParcelId()
    const arrives = part.appointment ? endOfDay(part.appointment.day) : dueAt('arrive', market, scope.now, promiseOf(part))
    const moved = await moveLines(scope, {
      sellerOrderId,
      actor: 'seller',
      actorId: staffIdOf(scope),
      reason: carrier ? 'handed-over' : 'packed',
      parcelId,
      deadline: carrier ? arrives : null,
      moves: (held) => movesOf(held, lines, ['accepted'], carrier ? 'shipped' : 'preparing'),
    })
    if (!moved.ok) return moved
    const tokenHash = parcelTokenHash(parcelToken(settings().mail.linkSecret, parcelId))
    if (!tokenHash) throw new Error('A parcel has no token')
    const isNew = await writeParcel(
      scope.db,
      {
        id: parcelId,
        sellerOrderId,
        customerOrderId: order.id,
        sellerId: part.sellerId,
        market,
        carrier: carrier?.name ?? connectedCarrier,
        trackingNumber: carrier?.trackingNumber.replaceAll(' ', '') ?? null,
        tokenHash,
        expectedBy: arrives,
      },
      scope.now,
    )
    if (!isNew) return { ok: false, reason: 'tracking-number-taken' }
    if (!carrier) {
      await enqueue(scope.db, { name: 'fulfilment.book', key: parcelId, payload: { parcelId } })
      return { ok: true, sellerOrderId, state: moved.state, parcelId }
    }
    await writeEvent(scope.db, parcelId, { sourceId: 'handed-over', kind: 'collected', at: scope.now, place: null })
    return { ok: true, sellerOrderId, state: moved.state, parcelId }
  }
}
