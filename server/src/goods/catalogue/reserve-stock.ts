import type { Market } from '@purlin/contract/markets.ts'
import { newId, type Db } from '#platform'
import type { QuantityBreak } from './product.ts'

export interface StockWish {
  offerId: string
  quantity: number
  /** The price the buyer agreed to; an offer whose price has changed since is not reserved. Minor units with VAT. */
  price: number
  proPrice: number | null
  quantityBreaks: readonly QuantityBreak[]
}

export interface StockLeft {
  offerId: string
  productId: string
  market: Market
  stock: number
}

// Rows are locked in id order, so two orders for the same offers cannot deadlock.
const reserve = {
  name: 'catalogue.reserve-stock',
  text: `with wish as (
      select * from unnest($1::bigint[], $2::integer[], $3::integer[], $4::integer[], $5::uuid[], $7::jsonb[])
        as w (id, n, price, pro_price, movement, quantity_breaks)
    ), held as (
      select o.id, w.n, w.movement from catalogue.offer o join wish w on w.id = o.id
      where o.stock >= w.n and o.price = w.price and o.pro_price is not distinct from w.pro_price
        and o.quantity_breaks = w.quantity_breaks and o.status = 'active'
      order by o.id for update of o
    ), taken as (
      update catalogue.offer o set stock = o.stock - h.n from held h
      where o.id = h.id and o.stock >= h.n
      returning o.id, o.product_id, o.market, o.stock, h.n, h.movement
    ), moved as (
      insert into catalogue.stock_movement (id, offer_id, delta, reason, reference)
      select movement, id, -n, 'reserved', $6 from taken
    )
    select id::text as "offerId", product_id::text as "productId", market, stock from taken`,
}

/**
 * Takes stock for an order, all or (by the caller's rollback) nothing: an offer missing from
 * the result could not be reserved at this price. Source: reliability rule 1, I2.
 */
export function reserveStock(db: Db, reference: string, wishes: readonly StockWish[]): Promise<StockLeft[]> {
  return db.rows<StockLeft>(reserve, [
    wishes.map((wish) => wish.offerId),
    wishes.map((wish) => wish.quantity),
    wishes.map((wish) => wish.price),
    wishes.map((wish) => wish.proPrice),
    wishes.map(newId),
    reference,
    wishes.map(({ quantityBreaks }) => JSON.stringify(quantityBreaks)),
  ])
}

const take = {
  name: 'catalogue.take-pieces',
  text: `with wish as (
      select * from unnest($1::bigint[], $2::integer[], $3::uuid[]) as w (id, n, movement)
    ), held as (
      select o.id, w.n, w.movement from catalogue.offer o join wish w on w.id = o.id where o.stock >= w.n order by o.id for update of o
    ), taken as (
      update catalogue.offer o set stock = o.stock - h.n from held h where o.id = h.id and o.stock >= h.n
      returning o.id, o.product_id, o.market, o.stock, h.n, h.movement
    ), moved as (
      insert into catalogue.stock_movement (id, offer_id, delta, reason, reference) select movement, id, -n, 'reserved', $4 from taken
    )
    select id::text as "offerId", product_id::text as "productId", market, stock from taken`,
}

/** Takes pieces at whatever price, for an order that costs nothing; an offer missing from the result has too few. */
export function takePieces(db: Db, reference: string, pieces: readonly { offerId: string; quantity: number }[]): Promise<StockLeft[]> {
  const columns = [pieces.map(({ offerId }) => offerId), pieces.map(({ quantity }) => quantity), pieces.map(newId)]
  return db.rows<StockLeft>(take, [...columns, reference])
}

// All or none. The order's reservation now stands for these pieces, and the lost ones are written off.
const replace = {
  name: 'catalogue.replace-pieces',
  text: `with wish as (
      select * from unnest($1::bigint[], $2::integer[], $3::uuid[]) as w (id, n, movement)
    ), held as (
      select o.id, w.n, w.movement from catalogue.offer o join wish w on w.id = o.id where o.stock >= w.n order by o.id for update of o
    ), taken as (
      update catalogue.offer o set stock = o.stock - h.n from held h
      where o.id = h.id and o.stock >= h.n and (select count(*) from held) = (select count(*) from wish)
      returning o.id, o.product_id, o.market, o.stock, h.n, h.movement
    ), moved as (
      insert into catalogue.stock_movement (id, offer_id, delta, reason, reference) select movement, id, -n, 'correction', null from taken
    )
    select id::text as "offerId", product_id::text as "productId", market, stock from taken`,
}

/** Takes pieces in place of ones that an order had reserved and that were lost: all of them, or none if there are too few of any. */
export function replacePieces(db: Db, pieces: readonly { offerId: string; quantity: number }[]): Promise<StockLeft[]> {
  return db.rows<StockLeft>(replace, [pieces.map(({ offerId }) => offerId), pieces.map(({ quantity }) => quantity), pieces.map(newId)])
}

const pass = {
  name: 'catalogue.pass-pieces',
  text: `with piece as (select * from unnest($1::bigint[], $2::integer[], $3::uuid[], $4::uuid[]) as p (id, n, movement, arrival))
    insert into catalogue.stock_movement (id, offer_id, delta, reason, reference)
    select p.movement, p.id, -p.n, 'reserved', $5 from piece p join catalogue.offer o on o.id = p.id
    union all select p.arrival, p.id, p.n, 'correction', null from piece p join catalogue.offer o on o.id = p.id`,
}

/** Pieces that come and go without having been for sale, such as a buyer's own that were repaired: the stock stays as it is. */
export async function passPieces(db: Db, reference: string, pieces: readonly { offerId: string; quantity: number }[]): Promise<void> {
  const columns = [pieces.map(({ offerId }) => offerId), pieces.map(({ quantity }) => quantity), pieces.map(newId), pieces.map(newId)]
  await db.run(pass, [...columns, reference])
}

// The reserved quantity is computed from the movements themselves, so a second release finds nothing.
const release = {
  name: 'catalogue.release-stock',
  text: `with owed as (
      select offer_id, -sum(delta)::integer as n from catalogue.stock_movement
      where reference = $1 and offer_id = any($2::bigint[]) group by offer_id having sum(delta) < 0
    ), held as (
      select o.id, w.n from catalogue.offer o join owed w on w.offer_id = o.id order by o.id for update of o
    ), given as (
      update catalogue.offer o set stock = o.stock + h.n from held h where o.id = h.id
      returning o.id, o.product_id, o.market, o.stock, h.n
    ), moved as (
      insert into catalogue.stock_movement (id, offer_id, delta, reason, reference)
      select i.movement, g.id, g.n, 'released', $1 from given g join unnest($2::bigint[], $3::uuid[]) as i (id, movement) on i.id = g.id
    )
    select id::text as "offerId", product_id::text as "productId", market, stock from given`,
}

/** Returns the stock an order had reserved. The caller holds the lock on the order's row. */
export function releaseStock(db: Db, reference: string, offerIds: readonly string[]): Promise<StockLeft[]> {
  return db.rows<StockLeft>(release, [reference, offerIds, offerIds.map(newId)])
}

// Only what the order still holds goes back. Pieces the seller does not have are corrected at once: the stock stays as it is.
const giveBack = {
  name: 'catalogue.give-back-pieces',
  text: `with piece as (
      select * from unnest($2::bigint[], $3::integer[], $4::uuid[], $5::uuid[]) as p (id, n, movement, correction)
    ), held as (
      select o.id, p.n, p.movement, p.correction from catalogue.offer o join piece p on p.id = o.id
      where p.n <= (select -sum(m.delta) from catalogue.stock_movement m where m.reference = $1 and m.offer_id = o.id)
      order by o.id for update of o
    ), given as (
      update catalogue.offer o set stock = o.stock + case when $6 then h.n else 0 end from held h where o.id = h.id
      returning o.id, o.product_id, o.market, o.stock
    ), moved as (
      insert into catalogue.stock_movement (id, offer_id, delta, reason, reference)
      select movement, id, n, 'released', $1 from held
      union all select correction, id, -n, 'correction', null from held where not $6
    )
    select id::text as "offerId", product_id::text as "productId", market, stock from given`,
}

/** Returns some pieces an order had reserved. The caller holds a lock on the order. */
export function giveBackPieces(
  db: Db,
  reference: string,
  pieces: readonly { offerId: string; quantity: number }[],
  { exist }: { exist: boolean },
): Promise<StockLeft[]> {
  return db.rows<StockLeft>(giveBack, [
    reference,
    pieces.map(({ offerId }) => offerId),
    pieces.map(({ quantity }) => quantity),
    pieces.map(newId),
    pieces.map(newId),
    exist,
  ])
}
