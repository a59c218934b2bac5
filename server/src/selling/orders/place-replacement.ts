import type { Market, Mode } from '@purlin/contract/markets.ts'
import { passPieces, takePieces } from '#catalogue'
import { newId, type Db, type JobScope } from '#platform'
import { newOrderId, sellerOfPart, sellerOrderId as partId } from './order.ts'

const insert = {
  name: 'orders.insert-replacement',
  text: `with placed as (
      insert into orders.customer_order (id, owner, company_id, cart_id, market, mode, origin, currency, tax_key, email, state, address,
        billing_address, total, totals, placed_at, paid_at, replaces)
      select $1, o.owner, o.company_id, $2, o.market, o.mode, o.origin, o.currency, o.tax_key, o.email, 'paid', o.address, o.billing_address, 0,
        jsonb_build_object('taxKey', o.tax_key, 'goods', 0, 'delivery', 0, 'discount', 0, 'net', 0, 'vat', 0, 'total', 0, 'vatLines', '[]'::jsonb),
        $3::timestamptz, $3::timestamptz, s.id
      from orders.seller_order s join orders.customer_order o on o.id = s.customer_order_id where s.id = $4
      returning id, market, mode
    ), part as (
      insert into orders.seller_order (id, customer_order_id, seller_id, state, seller, delivery_kind, delivery_options, pick_up_point, goods,
        delivery, discount, total, seller_discount, commission, commission_vat, outcome)
      select $5, placed.id, s.seller_id, 'pending', s.seller, s.delivery_kind, s.delivery_options, s.pick_up_point, 0, 0, 0, 0, 0, 0, 0, 'open'
      from placed, orders.seller_order s where s.id = $4
    ), lines as (
      insert into orders.order_line (customer_order_id, offer_id, seller_order_id, product_id, position, quantity, unit_price, total, discount,
        net, vat, vat_rate_bp, tax_key, snapshot)
      select placed.id, l.offer_id, $5, l.product_id, l.position, w.n, 0, 0, 0, 0, 0, l.vat_rate_bp, l.tax_key, l.snapshot
      from placed, orders.order_line l join unnest($6::bigint[], $7::integer[]) as w (id, n) on w.id = l.offer_id where l.seller_order_id = $4
    ), noted as (
      insert into orders.transition (id, customer_order_id, from_state, to_state, actor, cause)
      select $8, id, 'replacement', 'paid', 'seller', 'replacement' from placed
    )
    select market, mode from placed`,
}

interface Replaced {
  sellerOrderId: string
  lines: readonly { offerId: string; quantity: number }[]
  /** The buyer's own pieces come back: repaired, or because their claim was refused. */
  areOwn?: boolean
}

/**
 * An order without payment, of the same seller to the same address, for pieces of an earlier one that are replaced or that the buyer gets back. It is
 * moved, shipped and followed like any other. Undefined when the seller has too few pieces left. Money for it, if it never
 * arrives, is that of the order it replaces.
 */
export async function placeReplacement(
  scope: Pick<JobScope, 'db' | 'now' | 'emit'>,
  { sellerOrderId, lines, areOwn = false }: Replaced,
): Promise<string | undefined> {
  const id = newOrderId()
  const taken = areOwn ? [] : await takePieces(scope.db, id, lines)
  if (areOwn) await passPieces(scope.db, id, lines)
  else if (taken.length < lines.length) return undefined
  for (const left of taken) scope.emit('stock.changed', left)
  const part = partId(id, sellerOfPart(sellerOrderId))
  const written = await write(scope.db, [id, newId(), scope.now, sellerOrderId, part, lines.map(({ offerId }) => offerId)], lines)
  if (!written) throw new Error(`The seller order ${sellerOrderId} cannot be replaced`)
  scope.emit('order.paid', { customerOrderId: id, ...written, sellerOrderIds: [part] })
  return id
}

function write(db: Db, head: unknown[], lines: readonly { quantity: number }[]) {
  const values = [...head, lines.map(({ quantity }) => quantity), newId()]
  return db.row<{ market: Market; mode: Mode }>(insert, values)
}
