import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'

export interface OfferPrice {
  offerId: string
  /** Minor units with VAT. */
  price: number
  proPrice: number | null
}

export interface ChangedPrice {
  offerId: string
  productId: string
  market: Market
}

/** A statement of its own, because what a statement sees of the history is fixed before it waits for another change. */
const lockOffers = {
  name: 'catalogue.lock-to-price',
  text: 'select from catalogue.offer where id = any($1::bigint[]) order by id for update',
}

/**
 * The only statement that updates a price: the price and its history are one write (V-23, 98/6/EC art. 6a). The instant is
 * the database's, taken under the rows' locks, so that the history of an offer is in the order of its changes; milliseconds,
 * because that is the precision of Date. A history that does not end with the price being replaced is completed first: an offer
 * without one has cost the same since it was created, any other gap counts as in effect until now.
 */
export const writePrice = {
  name: 'catalogue.write-price',
  text: `with held as (
      select o.id, o.price as was, o.created_at, w.price, w.pro_price from catalogue.offer o
      join unnest($1::bigint[], $2::integer[], $3::integer[]) as w (id, price, pro_price) on w.id = o.id
      order by o.id for update of o
    ), changed as (
      update catalogue.offer o set price = h.price, pro_price = h.pro_price, updated_at = clock_timestamp() from held h
      where o.id = h.id and (o.price, o.pro_price) is distinct from (h.price, h.pro_price)
      returning o.id, o.product_id, o.market, o.price, h.was, h.created_at
    ), timed as (
      select c.id, c.price, c.was, c.created_at, last.price as last_price, last.valid_from as last_at,
        greatest(date_trunc('milliseconds', clock_timestamp()), last.valid_from + interval '2 milliseconds') as at
      from changed c left join lateral (
        select p.price, p.valid_from from catalogue.price_history p where p.offer_id = c.id order by p.valid_from desc limit 1
      ) last on true where c.price <> c.was
    ), recorded as (
      insert into catalogue.price_history (offer_id, price, valid_from)
      select id, price, at from timed
      union all
      select id, was, case when last_at is null then least(created_at, at - interval '1 millisecond') else at - interval '1 millisecond' end
        from timed where last_price is distinct from was
      on conflict (offer_id, valid_from) do update set price = excluded.price
    )
    select id::text as "offerId", product_id::text as "productId", market from changed order by id`,
}

/**
 * Writes prices and their history; returns the offers whose price or professional price has changed. Within a command:
 * changes of the same offer wait for each other there, and each sees the history that the one before has left.
 */
export async function writePrices(db: Db, prices: readonly OfferPrice[]): Promise<ChangedPrice[]> {
  const ids = prices.map(({ offerId }) => offerId)
  const [, changed] = await Promise.all([
    db.run(lockOffers, [ids]),
    db.rows<ChangedPrice>(writePrice, [ids, prices.map(({ price }) => price), prices.map(({ proPrice }) => proPrice)]),
  ])
  return changed
}
