import type { Market } from '@purlin/contract/markets.ts'
import { newId, type Db } from '#platform'
import type { PriceStep } from '#pricing'
import { priceAfter, priceAt, stepsJson } from './agreed-price.ts'

export interface NewLine {
  offerId: string
  quantity: number
  steps: readonly PriceStep[]
  /** The line holds no more than this. */
  most: number
}

// One statement for all lines: each adds to what the cart holds, or is left alone where that would be too much.
const growLines = {
  name: 'cart.grow-lines',
  text: `with kept as (
      insert into cart.cart as c (id, owner, market) values ($1, $2, $3)
      on conflict (owner, market) do update set version = c.version + 1, updated_at = now()
      returning c.id
    ), wanted as (
      select * from unnest($4::bigint[], $5::integer[], $6::jsonb[], $7::integer[]) with ordinality
        as w (offer_id, quantity, steps, most, position)
    )
    insert into cart.line as l (cart_id, offer_id, quantity, seen_price, added_at)
    select kept.id, w.offer_id, w.quantity, ${priceAt('w.steps', 'w.quantity')}, now() + w.position * interval '1 microsecond' from kept, wanted w
    on conflict (cart_id, offer_id) do update set quantity = l.quantity + excluded.quantity,
      seen_price = (select ${priceAfter('w.steps', '(l.quantity + excluded.quantity)')} from wanted w where w.offer_id = excluded.offer_id)
      where l.quantity + excluded.quantity <= (select w.most from wanted w where w.offer_id = excluded.offer_id)
    returning l.cart_id as "cartId", l.offer_id::text as "offerId"`,
}

/** Adds lines to the owner's cart, creating it if needed; returns the offers that were added. */
export async function growCartLines(
  db: Db,
  owner: string,
  market: Market,
  lines: readonly NewLine[],
): Promise<{ cartId: string; offerId: string }[]> {
  return db.rows(growLines, [
    newId(),
    owner,
    market,
    lines.map(({ offerId }) => offerId),
    lines.map(({ quantity }) => quantity),
    lines.map(({ steps }) => stepsJson(steps)),
    lines.map(({ most }) => most),
  ])
}

const park = { name: 'cart.change-owner', text: 'update cart.cart set owner = $2, updated_at = now() where id = $1' }

/** Gives a cart to another owner who has none in its market, such as a request for approval. */
export async function changeCartOwner(db: Db, cartId: string, owner: string): Promise<void> {
  await db.run(park, [cartId, owner])
}

const putLinesText = {
  name: 'cart.put-lines',
  text: `with kept as (
      insert into cart.cart as c (id, owner, market) values ($1, $2, $3)
      on conflict (owner, market) do update set version = c.version + 1, updated_at = now() returning c.id
    )
    insert into cart.line as l (cart_id, offer_id, quantity, seen_price)
    select kept.id, w.offer_id, w.quantity, w.price from kept, unnest($4::bigint[], $5::integer[], $6::integer[]) as w (offer_id, quantity, price)
    on conflict (cart_id, offer_id) do update set quantity = excluded.quantity, seen_price = excluded.seen_price`,
}

/** Lines with exactly these quantities and agreed prices, instead of what the cart holds of these offers. */
export async function writeLines(
  db: Db,
  owner: string,
  market: Market,
  lines: readonly { offerId: string; quantity: number; price: number }[],
): Promise<void> {
  const columns = (['offerId', 'quantity', 'price'] as const).map((key) => lines.map((line) => line[key]))
  await db.run(putLinesText, [newId(), owner, market, ...columns])
}
