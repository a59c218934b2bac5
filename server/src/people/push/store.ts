import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'

export interface Subscription {
  id: string
  endpoint: string
  keys: { p256dh: string; auth: string }
  market: Market
  mode: Mode
  origin: string
}

const keep = {
  name: 'push.subscribe',
  text: `insert into push.subscription (id, endpoint, p256dh, auth, market, mode, origin) values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (endpoint) do update set p256dh = excluded.p256dh, auth = excluded.auth, market = excluded.market, mode = excluded.mode,
      origin = excluded.origin`,
}
const end = { name: 'push.end', text: 'delete from push.subscription where endpoint = any($1)' }
const page = {
  name: 'push.page',
  text: `select id, endpoint, json_build_object('p256dh', p256dh, 'auth', auth) as keys, market, mode, origin from push.subscription
    where market = $1 and mode = $2 and ($3::uuid is null or id > $3) order by id limit $4`,
}
/** A browser gets no more messages in seven days, whatever operators send. */
export const maxPerWeek = 3
// The key of a message that has been claimed before is found again: a repeated attempt loses nothing.
const claim = {
  name: 'push.claim',
  text: `with fresh as (
      select id, coalesce((select jsonb_object_agg(key, value) from jsonb_each(recent)
        where (value #>> '{}')::timestamptz > now() - interval '7 days'), '{}') as recent
      from push.subscription where id = any($1))
    update push.subscription s set recent = fresh.recent || jsonb_build_object($2::text, coalesce(fresh.recent -> $2::text, to_jsonb(now())))
    from fresh where s.id = fresh.id and (fresh.recent ? $2::text or (select count(*) from jsonb_object_keys(fresh.recent)) < ${maxPerWeek})
    returning s.id`,
}
const key = { name: 'push.key', text: 'select jwk from push.key' }
const putKey = { name: 'push.put-key', text: 'insert into push.key (jwk) values ($1) on conflict do nothing' }

export const keepSubscription = (db: Db, { id, endpoint, keys, market, mode, origin }: Subscription): Promise<number> =>
  db.run(keep, [id, endpoint, keys.p256dh, keys.auth, market, mode, origin])
export const endSubscriptions = (db: Db, endpoints: readonly string[]): Promise<number> => db.run(end, [endpoints])
export const readSubscriptions = (
  db: Db,
  { market, mode, after, limit }: { market: Market; mode: Mode; after: string | null; limit: number },
): Promise<Subscription[]> => db.rows<Subscription>(page, [market, mode, after, limit])
/** Of these subscriptions those that may still get a message, which is counted from now on. */
export async function claimSubscriptions(db: Db, ids: readonly string[], messageKey: string): Promise<ReadonlySet<string>> {
  return new Set((await db.rows<{ id: string }>(claim, [ids, messageKey])).map(({ id }) => id))
}
export const readKey = async (db: Db): Promise<JsonWebKey | undefined> => (await db.row<{ jwk: JsonWebKey }>(key))?.jwk
export const writeKey = (db: Db, jwk: JsonWebKey): Promise<number> => db.run(putKey, [JSON.stringify(jwk)])
