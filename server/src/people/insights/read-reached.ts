import type { Db } from '#platform'

/** A visitor's events since a moment, within their retention. */
export interface Reached {
  visitorId: string
  hasAdded: boolean
  hasOrdered: boolean
  /** Looked at another page after the one they first saw. */
  hasGoneOn: boolean
  /** Met an error page. */
  hasMetError: boolean
}

// A receipt is the only page that every order ends at. One visitor at a time, so that each reads only the partitions since their moment;
// the difference of times, so that no plan reads all events since then (by the index on `at`) for each of them.
const reached = {
  name: 'insights.reached',
  text: `select v.id as "visitorId", did.* from unnest($1::uuid[], $2::timestamptz[]) as v (id, at) cross join lateral (
      select bool_or(e.name = 'add_to_cart') as "hasAdded", bool_or(e.page_name = 'orderRecap') as "hasOrdered",
        bool_or(e.name = 'page_view' and e.at > v.at + interval '2 seconds') as "hasGoneOn",
        bool_or(e.name = 'page_view' and e.data ->> 'statusCode' ~ '^[45][0-9][0-9]$') as "hasMetError"
      from insights.event e
      where e.visitor_id = v.id and e.day >= (v.at at time zone 'UTC')::date and e.at - v.at >= interval '0' and e.name in ('add_to_cart', 'page_view')
    ) as did where did."hasAdded" is not null`,
}

/** What these visitors did after the moment given for each; those who did nothing are missing. */
export const readReached = (db: Db, visitors: readonly { visitorId: string; seenAt: Date }[]): Promise<Reached[]> =>
  db.rows<Reached>(reached, [visitors.map(({ visitorId }) => visitorId), visitors.map(({ seenAt }) => seenAt)])
