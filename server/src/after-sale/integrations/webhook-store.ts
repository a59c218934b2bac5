import type { Db, Posted } from '#platform'
import type { Delivery, WebhookEndpoint, WebhookEvent } from './webhook.ts'

const endpointColumns = 'id::text, seller_id as "sellerId", url, events, created_at as "createdAt"'

const insert = {
  name: 'integrations.insert-endpoint',
  text: `insert into integrations.endpoint (id, seller_id, url, events, created_at)
    select $1, $2, $3, $4, $5 where (select count(*) from integrations.endpoint where seller_id = $2 and removed_at is null) < $6
    on conflict do nothing returning ${endpointColumns}`,
}
/** Undefined when the seller has this address already, or the maximum number of endpoints. */
export function insertEndpoint(db: Db, { id, sellerId, url, events, createdAt }: WebhookEndpoint, maxEndpoints: number) {
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

const columns = `d.id::text, d.endpoint_id::text as "endpointId", d.event, d.body, d.state, d.attempts, d.status, d.error,
  d.created_at as "createdAt", d.last_at as "lastAt"`

const add = {
  name: 'integrations.insert-delivery',
  text: 'insert into integrations.delivery (id, endpoint_id, event, body, created_at) values ($1, $2, $3, $4, $5)',
}
export async function insertDelivery(
  db: Db,
  { id, endpointId, event, body, createdAt }: Pick<Delivery, 'id' | 'endpointId' | 'body' | 'createdAt'> & { event: WebhookEvent },
): Promise<void> {
  await db.run(add, [id, endpointId, event, body, createdAt])
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

const attempted = {
  name: 'integrations.delivery-attempted',
  text: `update integrations.delivery set state = $2, attempts = attempts + 1, status = $3, error = $4, last_at = $5 where id = $1`,
}
export async function noteAttempt(db: Db, id: string, state: Delivery['state'], { status, error }: Posted, now: Date): Promise<void> {
  await db.run(attempted, [id, state, status, error, now])
}

const again = {
  name: 'integrations.replay',
  text: `update integrations.delivery set state = 'waiting', attempts = 0 where id = $1`,
}
export async function resetDelivery(db: Db, id: string): Promise<void> {
  await db.run(again, [id])
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
