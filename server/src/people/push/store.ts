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
const key = { name: 'push.key', text: 'select jwk from push.key' }
const putKey = { name: 'push.put-key', text: 'insert into push.key (jwk) values ($1) on conflict do nothing' }

export const keepSubscription = (db: Db, { id, endpoint, keys, market, mode, origin }: Subscription): Promise<number> =>
  db.run(keep, [id, endpoint, keys.p256dh, keys.auth, market, mode, origin])
export const endSubscriptions = (db: Db, endpoints: readonly string[]): Promise<number> => db.run(end, [endpoints])
export const readSubscriptions = (
  db: Db,
  { market, mode, after, limit }: { market: Market; mode: Mode; after: string | null; limit: number },
): Promise<Subscription[]> => db.rows<Subscription>(page, [market, mode, after, limit])
export const readKey = async (db: Db): Promise<JsonWebKey | undefined> => (await db.row<{ jwk: JsonWebKey }>(key))?.jwk
export const writeKey = (db: Db, jwk: JsonWebKey): Promise<number> => db.run(putKey, [JSON.stringify(jwk)])
