import type { Db, Posted } from '#platform'
import { expiryOf, type Delivery, type WebhookEndpoint, type WebhookEvent } from './webhook.ts'

const endpointColumns = 'id::text, seller_id as "sellerId", url, events, created_at as "createdAt", resting_until as "restingUntil"'

const insert = {
  name: 'integrations.insert-endpoint',
  text: `insert into integrations.endpoint (id, seller_id, url, events, created_at)
    select $1, $2, $3, $4, $5 where (select count(*) from integrations.endpoint where seller_id = $2 and removed_at is null) < $6
    on conflict do nothing returning ${endpointColumns}`,
}
/** Undefined when the seller has this address already, or the maximum number of endpoints. */
export function insertEndpoint(
  db: Db,
  { id, sellerId, url, events, createdAt }: Omit<WebhookEndpoint, 'restingUntil'>,
  maxEndpoints: number,
) {
  return db.row<WebhookEndpoint>(insert, [id, sellerId, url, events, createdAt, maxEndpoints])
}

const ofSellers = {
  name: 'integrations.endpoints-of-sellers',
  text: `select ${endpointColumns} from integrations.endpoint where seller_id = any($1) and removed_at is null order by created_at, id`,
}
export function readEndpoints(db: Db, sellerId: number): Promise<WebhookEndpoint[]> {
  return readEndpointsOf(db, [sellerId])
}
export function readEndpointsOf(db: Db, sellerIds: readonly number[]): Promise<WebhookEndpoint[]> {
  return db.rows<WebhookEndpoint>(ofSellers, [sellerIds])
}

const byId = {
  name: 'integrations.endpoint',
  text: `select ${endpointColumns} from integrations.endpoint where id = $1 and removed_at is null`,
}
export function readEndpoint(db: Db, id: string): Promise<WebhookEndpoint | undefined> {
  return db.row<WebhookEndpoint>(byId, [id])
}

const remove = {
  name: 'integrations.remove-endpoint',
  text: 'update integrations.endpoint set removed_at = $3 where id = $1 and seller_id = $2 and removed_at is null',
}
export async function removeEndpoint(db: Db, id: string, sellerId: number, now: Date): Promise<boolean> {
  return (await db.run(remove, [id, sellerId, now])) === 1
}

const rest = {
  name: 'integrations.rest-endpoint',
  text: 'update integrations.endpoint set resting_until = $2 where id = $1 and resting_until is distinct from $2',
}
/** Null after a round without a slow response. */
export async function writeRest(db: Db, id: string, until: Date | null): Promise<void> {
  await db.run(rest, [id, until])
}

const columns = `d.id::text, d.endpoint_id::text as "endpointId", d.event, d.body, d.state, d.attempts, d.status, d.error,
  d.created_at as "createdAt", d.last_at as "lastAt"`

const add = {
  name: 'integrations.insert-delivery',
  text: 'insert into integrations.delivery (id, endpoint_id, event, body, created_at, next_at, expires_at) values ($1, $2, $3, $4, $5, $5, $6)',
}
export async function insertDelivery(
  db: Db,
  { id, endpointId, event, body, createdAt }: Pick<Delivery, 'id' | 'endpointId' | 'body' | 'createdAt'> & { event: WebhookEvent },
): Promise<void> {
  await db.run(add, [id, endpointId, event, body, createdAt, expiryOf(createdAt)])
}

const delivery = { name: 'integrations.delivery', text: `select ${columns} from integrations.delivery d where d.id = $1` }
export function readDelivery(db: Db, id: string): Promise<Delivery | undefined> {
  return db.row<Delivery>(delivery, [id])
}

const page = {
  name: 'integrations.deliveries',
  text: `select ${columns} from integrations.delivery d where d.endpoint_id = $1 and ($2::uuid is null or d.id < $2)
    and ($3::text is null or d.state = $3) order by d.id desc limit $4`,
}
/** The log of an endpoint, newest first. */
export function readDeliveries(
  db: Db,
  endpointId: string,
  { after, state, limit }: { after: string | null; state: Delivery['state'] | null; limit: number },
): Promise<Delivery[]> {
  return db.rows<Delivery>(page, [endpointId, after, state, limit])
}

const due = {
  name: 'integrations.due-deliveries',
  text: `select ${columns} from integrations.delivery d
    where d.endpoint_id = $1 and d.state = 'waiting' and d.next_at <= $2 and d.expires_at > $2 order by d.next_at, d.id limit $3`,
}
/** Messages of an endpoint that are due, the longest overdue first. */
export function readDue(db: Db, endpointId: string, now: Date, limit: number): Promise<Delivery[]> {
  return db.rows<Delivery>(due, [endpointId, now, limit])
}

const nextRound = {
  name: 'integrations.next-round',
  text: `select greatest(d.next_at, e.resting_until, $2) as at from integrations.endpoint e
    cross join lateral (select next_at from integrations.delivery where endpoint_id = e.id and state = 'waiting' order by next_at limit 1) d
    where e.id = $1`,
}
/** When an endpoint can be sent its next message, from an instant on; undefined if none waits. */
export async function nextRoundAt(db: Db, endpointId: string, from: Date): Promise<Date | undefined> {
  return (await db.row<{ at: Date }>(nextRound, [endpointId, from]))?.at
}

export interface Attempt {
  id: string
  state: Delivery['state']
  posted: Posted
  /** Null after the last attempt. */
  nextAt: Date | null
}
const attempted = {
  name: 'integrations.deliveries-attempted',
  text: `update integrations.delivery d set state = a.state, attempts = d.attempts + 1, status = a.status, error = a.error, last_at = $6,
      next_at = coalesce(a.next_at, d.next_at)
    from unnest($1::uuid[], $2::text[], $3::integer[], $4::text[], $5::timestamptz[]) as a (id, state, status, error, next_at)
    where d.id = a.id and d.state = 'waiting'`,
}
export async function noteAttempts(db: Db, attempts: readonly Attempt[], now: Date): Promise<void> {
  if (attempts.length === 0) return
  await db.run(attempted, [
    attempts.map(({ id }) => id),
    attempts.map(({ state }) => state),
    attempts.map(({ posted }) => posted.status),
    attempts.map(({ posted }) => posted.error),
    attempts.map(({ nextAt }) => nextAt),
    now,
  ])
}

const abandon = {
  name: 'integrations.abandon-deliveries',
  text: `update integrations.delivery set state = 'dead', error = $2 where id in (
    select id from integrations.delivery where endpoint_id = $1 and state = 'waiting' and ($3 or expires_at <= $4) order by next_at limit 5000)`,
}
/** Ends messages of an endpoint undelivered: all, or those whose time is over; at most five thousand in one transaction. */
export async function abandonDeliveries(
  db: Db,
  endpointId: string,
  { error, isAll, now }: { error: string; isAll: boolean; now: Date },
): Promise<void> {
  await db.run(abandon, [endpointId, error, isAll, now])
}

const again = {
  name: 'integrations.replay',
  text: `update integrations.delivery set state = 'waiting', attempts = 0, next_at = $2, expires_at = $3 where id = $1`,
}
export async function resetDelivery(db: Db, id: string, now: Date): Promise<void> {
  await db.run(again, [id, now, expiryOf(now)])
}

const forget = {
  name: 'integrations.forget-deliveries',
  text: `delete from integrations.delivery where id in (
    select id from integrations.delivery where id < $1 and state <> 'waiting' order by id limit 5000)`,
}
/** Deletes the log before an id: ids are in order of time. */
export async function forgetDeliveries(db: Db, before: string): Promise<number> {
  return db.run(forget, [before])
}
