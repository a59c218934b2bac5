import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { PushTopic } from './message.ts'

export interface Subscription {
  id: string
  endpoint: string
  keys: { p256dh: string; auth: string }
  market: Market
  mode: Mode
  origin: string
}

/** Whom a subscription belongs to: the customer counts for as long as the sign-in lasts. */
export interface Subscriber {
  customerId: string | null
  signInId: string | null
  visitorId: string
}

const keep = {
  name: 'push.subscribe',
  text: `insert into push.subscription as s (id, endpoint, p256dh, auth, market, mode, origin, customer_id, sign_in_id, visitor_id, topics)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce($11::text[], '{offers}'))
    on conflict (endpoint) do update set p256dh = excluded.p256dh, auth = excluded.auth, market = excluded.market, mode = excluded.mode,
      origin = excluded.origin, customer_id = excluded.customer_id, sign_in_id = excluded.sign_in_id, visitor_id = excluded.visitor_id,
      topics = coalesce($11::text[], s.topics), at = now()
    returning s.topics`,
}
const end = { name: 'push.end', text: 'delete from push.subscription where endpoint = any($1)' }
const known = { name: 'push.is-known', text: 'select true as "isKnown" from push.subscription where endpoint = $1' }
/** Messages not taken in a row, over at least a day, after which a subscription is deleted: nobody unsubscribes an invented endpoint. */
const maxFailures = 3
const fail = {
  name: 'push.fail',
  text: `with failed as (
      update push.subscription set failures = failures + 1, failing_since = coalesce(failing_since, now()) where id = any($1)
      returning id, failures, failing_since)
    select id from failed where failures >= ${maxFailures} and failing_since <= now() - interval '1 day'`,
}
const drop = { name: 'push.drop', text: 'delete from push.subscription where id = any($1)' }
const recover = {
  name: 'push.recover',
  text: 'update push.subscription set failures = 0, failing_since = null where id = any($1) and failures > 0',
}
const page = {
  name: 'push.page',
  text: `select id, endpoint, json_build_object('p256dh', p256dh, 'auth', auth) as keys, market, mode, origin from push.subscription
    where market = $1 and mode = $2 and 'offers' = any(topics) and ($3::uuid is null or id > $3) order by id limit $4`,
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
const ofCustomer = {
  name: 'push.of-customer',
  text: `select id, endpoint, json_build_object('p256dh', p256dh, 'auth', auth) as keys, market, mode, origin, sign_in_id as "signInId"
    from push.subscription where customer_id = $1 and market = $2 and mode = $3 and $4::text = any(topics) order by at desc limit 20`,
}
const allOfCustomer = {
  name: 'push.all-of-customer',
  text: `select endpoint, market, mode, origin, topics, recent, at from push.subscription where customer_id = $1 order by at`,
}
const endOfCustomer = { name: 'push.end-of-customer', text: 'delete from push.subscription where customer_id = $1' }
const endOfVisitor = {
  name: 'push.end-of-visitor',
  text: `delete from push.subscription where visitor_id = $1 and at <= coalesce($2::timestamptz, 'infinity')`,
}
const key = { name: 'push.key', text: 'select jwk from push.key' }
const putKey = { name: 'push.put-key', text: 'insert into push.key (jwk) values ($1) on conflict do nothing' }

/** Stores a subscription or renews it; without topics it keeps those it has. Returns them. */
export async function keepSubscription(
  db: Db,
  { id, endpoint, keys, market, mode, origin }: Subscription,
  { customerId, signInId, visitorId }: Subscriber,
  topics: readonly PushTopic[] | null,
): Promise<PushTopic[]> {
  const values = [id, endpoint, keys.p256dh, keys.auth, market, mode, origin, customerId, signInId, visitorId, topics]
  return (await db.row<{ topics: PushTopic[] }>(keep, values))?.topics ?? []
}
export const endSubscriptions = (db: Db, endpoints: readonly string[]): Promise<number> => db.run(end, [endpoints])
export const isKnownEndpoint = async (db: Db, endpoint: string): Promise<boolean> =>
  (await db.row<{ isKnown: boolean }>(known, [endpoint]))?.isKnown === true
/** Counts a message that these subscriptions did not take; those that have taken none for long are deleted. */
export async function countFailures(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const dead = await db.rows<{ id: string }>(fail, [ids])
  if (dead.length > 0) await db.run(drop, [dead.map(({ id }) => id)])
}
export async function forgetFailures(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.run(recover, [ids])
}
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

export interface CustomersSubscription extends Subscription {
  signInId: string | null
}

export const readSubscriptionsOf = (
  db: Db,
  { customerId, market, mode, topic }: { customerId: string; market: Market; mode: Mode; topic: PushTopic },
): Promise<CustomersSubscription[]> => db.rows<CustomersSubscription>(ofCustomer, [customerId, market, mode, topic])

/** The browsers that get messages for a customer, without the keys: for the customer's data export. */
export function readPushOf(db: Db, customerId: string): Promise<unknown[]> {
  return db.rows<object>(allOfCustomer, [customerId])
}

/** For the erasure of an account. */
export async function removePushOf(db: Db, customerId: string): Promise<void> {
  await db.run(endOfCustomer, [customerId])
}
/** For a visitor who has withdrawn consent: subscriptions until then. */
export async function endSubscriptionsOfVisitor(db: Db, visitorId: string, until?: string): Promise<void> {
  await db.run(endOfVisitor, [visitorId, until ?? null])
}
