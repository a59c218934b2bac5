import { sellerIdOf } from '#accounts'
import { slotText } from '#pickup'
import type { Scope } from '#platform'
import { showMoney } from '#pricing'
import { destinationOf } from './destination.ts'
import { findSale } from './find-sale.ts'
import type { DueKind } from './deadlines.ts'
import { showShipments } from './show-shipments.ts'
import { readDuesOfSeller } from './store.ts'

/** A seller's part of an order as its staff see it; null for other sellers'. */
export async function showSale(scope: Scope, sellerOrderId: string) {
  const sale = await findSale(scope, 'sellerOrder.see', sellerOrderId)
  if (!sale) return null
  const { order, part } = sale
  const { market } = order
  const [shipment] = await showShipments({ market, now: scope.now, db: scope.db }, order.id, [part.id])
  if (!shipment || !order.paidAt) return null
  return {
    sellerOrderId: part.id,
    customerOrderId: order.id,
    market,
    state: part.state,
    paidAt: order.paidAt,
    total: showMoney(market, part.total),
    deliveryKind: part.deliveryKind,
    deliveryPromise: part.appointment
      ? slotText(market, part.appointment)
      : (part.deliveryOptions.find(({ kind }) => kind === part.deliveryKind)?.promise ?? ''),
    address: destinationOf(order, part),
    lines: part.lines.map(({ offerId, productId, quantity, total, snapshot }) => ({
      offerId,
      productId,
      title: snapshot.title,
      quantity,
      total: showMoney(market, total),
    })),
    shipment,
  }
}

const pageSize = 50

/** Open work of the principal's seller, most urgent first; the cursor is the last deadline and order of the page before. */
export async function listSalesDue(scope: Scope, kind: DueKind, cursor: string | null) {
  const sellerId = sellerIdOf(scope)
  if (sellerId === null) return { items: [], next: null }
  const rows = await readDuesOfSeller(scope.db, sellerId, kind, { after: parseCursor(cursor), limit: pageSize + 1 })
  const items = rows.slice(0, pageSize)
  const last = items.at(-1)
  return { items, next: rows.length > pageSize && last ? `${last.dueAt.toISOString()}_${last.sellerOrderId}` : null }
}

function parseCursor(cursor: string | null): { dueAt: Date; sellerOrderId: string } | null {
  const [, at = '', sellerOrderId = ''] = /^(\d{4}-[\dT:.-]+Z)_([A-Za-z0-9_-]{1,60})$/.exec(cursor ?? '') ?? []
  const dueAt = new Date(at)
  return Number.isNaN(dueAt.getTime()) ? null : { dueAt, sellerOrderId }
}
