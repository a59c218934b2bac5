import type { Db } from '#platform'

/** A visitor's events since a moment, within their retention. */
export interface Reached {
  visitorId: string
  hasAdded: boolean
  hasOrdered: boolean
}

// A receipt is the only page that every order ends at.
const reached = {
  name: 'insights.reached',
  text: `select e.visitor_id as "visitorId", bool_or(e.name = 'add_to_cart') as "hasAdded", bool_or(e.page_name = 'orderRecap') as "hasOrdered"
    from unnest($1::uuid[], $2::timestamptz[]) as v (id, at) join insights.event e on e.visitor_id = v.id and e.at >= v.at
    where e.name = 'add_to_cart' or e.page_name = 'orderRecap' group by 1`,
}

/** Of these visitors those who added something to the cart or ordered after the moment given for each. */
export const readReached = (db: Db, visitors: readonly { visitorId: string; seenAt: Date }[]): Promise<Reached[]> =>
  db.rows<Reached>(reached, [visitors.map(({ visitorId }) => visitorId), visitors.map(({ seenAt }) => seenAt)])
