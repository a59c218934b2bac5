import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'

/** A cart as the copy of a customer's data lists it. */
export interface ListedCart {
  market: Market
  couponCode: string | null
  lines: { offerId: string; quantity: number; addedAt: string }[]
}

const ofOwners = {
  name: 'cart.of-owners',
  text: `select c.market, c.coupon_code as "couponCode",
      coalesce(jsonb_agg(jsonb_build_object('offerId', l.offer_id::text, 'quantity', l.quantity, 'addedAt', l.added_at) order by l.added_at)
        filter (where l.offer_id is not null), '[]') as lines
    from cart.cart c left join cart.line l on l.cart_id = c.id where c.owner = any($1) group by c.id order by c.market`,
}

/** All carts of these owners, in every market. */
export function readCartsOf(db: Db, owners: readonly string[]): Promise<ListedCart[]> {
  return db.rows<ListedCart>(ofOwners, [owners])
}
