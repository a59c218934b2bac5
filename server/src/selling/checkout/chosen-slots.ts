import type { Refused } from '@purlin/contract/refusals.ts'
import { loadPricedCart, type DeliveryChoice, type PricedCart } from '#cart'
import { findOrder, type CustomerOrder, type SellerOrder } from '#orders'
import { findSlot, findSlots, showSlot, slotId, type Slot } from '#pickup'
import { readingAside, type Scope } from '#platform'
import { addDays, deliveryDays, localDay } from '#pricing'

/** The chosen appointments as the carrier has them now, by seller; null for one that is gone, undefined if the carrier is silent. */
export type ChosenSlots = ReadonlyMap<number, Slot | null | undefined>

/** Requested before the transaction begins, which must not wait for anybody. */
export async function findChosenSlots(scope: Scope, customerOrderId: string, choices: readonly DeliveryChoice[]): Promise<ChosenSlots> {
  const chosen = choices.flatMap(({ sellerId, kind, slotId: id }) => (kind === 'appointment' && id ? [{ sellerId, id }] : []))
  if (chosen.length === 0) return new Map()
  const aside = readingAside(scope)
  const order = await findOrder(aside, 'order.see', customerOrderId)
  if (!order) return new Map()
  const found = chosen.map(async ({ sellerId, id }) => {
    // Paid for a second time, an appointment of an order that was placed before is still the buyer's.
    const own = order.sellerOrders.find((part) => part.sellerId === sellerId)?.appointment
    if (own && slotId(own) === id) return [sellerId, own] as const
    const from = await firstSlotDay(aside, order, sellerId)
    return [sellerId, await findSlot(scope, { market: order.market, postcode: order.address.postcode, from, id })] as const
  })
  return new Map(await Promise.all(found))
}

/** The appointments an order was placed with. */
export function slotsOf({ sellerOrders }: Pick<CustomerOrder, 'sellerOrders'>): ChosenSlots {
  return new Map(sellerOrders.flatMap(({ sellerId, appointment }) => (appointment ? [[sellerId, appointment] as const] : [])))
}

/** A delivery by appointment needs a time that can be had; a silent carrier costs no sale, the time is then agreed later. (V-22) */
export function reasonAgainstSlots(
  { sellers }: PricedCart,
  slots: ChosenSlots,
): (Refused & { reason: 'slot-missing' | 'slot-gone' }) | null {
  for (const { seller, kind } of sellers) {
    if (kind !== 'appointment') continue
    if (!slots.has(seller.id)) return { ok: false, reason: 'slot-missing' }
    if (slots.get(seller.id) === null) return { ok: false, reason: 'slot-gone' }
  }
  return null
}

/** Times at which a seller's part can be brought; null for another person's order. */
export async function showDeliverySlots(scope: Scope, customerOrderId: string, sellerId: number) {
  const order = await findOrder(scope, 'order.see', customerOrderId)
  if (!order) return null
  const from = await firstSlotDay(scope, order, sellerId)
  const slots = await findSlots(scope, { market: order.market, postcode: order.address.postcode, from })
  if (!slots) return { isAvailable: false, slots: [] }
  return { isAvailable: true, slots: slots.map((slot) => ({ ...showSlot(order.market, slot), isFull: slot.isFull })) }
}

/** The first day on which the goods can be there; for goods that have left, the day after tomorrow. */
export async function firstSlotDay(scope: Scope, order: CustomerOrder, sellerId: number): Promise<string> {
  const { market, sellerOrders, state } = order
  const part = sellerOrders.find((each) => each.sellerId === sellerId)
  if (part && hasLeft.has(part.state)) return addDays(localDay(market, scope.now), 2)
  const options =
    state === 'draft' ? (await loadPricedCart(scope)).sellers.find(({ seller }) => seller.id === sellerId)?.options : part?.deliveryOptions
  const option = options?.find(({ kind }) => kind === 'appointment')
  return deliveryDays(market, option ?? { daysMin: 2, daysMax: 4 }, scope.now).from
}
const hasLeft: ReadonlySet<SellerOrder['state']> = new Set(['preparing', 'shipped'])
