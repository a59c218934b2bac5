import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'

/** The basket of a customer on a storefront. */
export interface CustomersCart {
  customerId: string
  market: Market
  mode: Mode
}

// The owner's key as `cartOwnerIn` forms it.
const idle = {
  name: 'cart.idle',
  text: `select id, split_part(owner, ':', 2) as "customerId", market, case when owner like 'c:%:pro' then 'b2b' else 'b2c' end as mode
    from cart.cart c where updated_at > $1 and updated_at <= $2 and owner like 'c:%' and ($3::uuid is null or id > $3)
      and exists (select 1 from cart.line l where l.cart_id = c.id)
    order by id limit $4`,
}

/** Customers' baskets with goods whose last change was in a period, a page at a time. */
export function readIdleCarts(
  db: Db,
  { since, until, after, limit }: { since: Date; until: Date; after: string | null; limit: number },
): Promise<(CustomersCart & { id: string })[]> {
  return db.rows(idle, [since, until, after, limit])
}

const age = {
  name: 'cart.age',
  text: `select c.updated_at as "changedAt", min(l.added_at) as "oldestLineAt" from cart.cart c join cart.line l on l.cart_id = c.id
    where c.owner = $1 and c.market = $2 group by c.id`,
}

/** When a basket was changed last, and when the oldest of its lines was added; undefined if it is empty. */
export function readCartAge(db: Db, owner: string, market: Market): Promise<{ changedAt: Date; oldestLineAt: Date } | undefined> {
  return db.row(age, [owner, market])
}
