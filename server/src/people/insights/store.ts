import type { ConsentPurpose } from '@purlin/contract/consent.ts'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { Device } from './event.ts'

export interface StoredEvent {
  id: string
  market: Market
  mode: Mode
  visitorId: string
  /** Of the browser's visit; counted, never trusted. */
  visitId: string | null
  name: string
  pageName: string
  pageType: string
  device: Device
  purposes: readonly ConsentPurpose[]
  data: Record<string, unknown>
  at: Date
  /** Set if recommendations may be learned from it: the group of networks it came from. */
  network: number | null
}

// Columns as arrays: Postgres reads these in half the time of one JSON text.
const insertEvents = {
  name: 'insights.write-events',
  text: `insert into insights.event (day, id, market, mode, visitor_id, visit_id, name, page_name, page_type, device, purposes, data, at, network)
    select (at at time zone 'UTC')::date, id, market, mode, visitor, visit, name, page_name, page_type, device, string_to_array(purposes, ','), data, at, network
    from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::jsonb[],
      $12::timestamptz[], $13::integer[]) as e (id, market, mode, visitor, visit, name, page_name, page_type, device, purposes, data, at, network)
    on conflict do nothing`,
}

/** Stores events; those stored before are left alone. Returns the number of new ones. */
export function writeEvents(db: Db, events: readonly StoredEvent[]): Promise<number> {
  return db.run(insertEvents, [
    events.map(({ id }) => id),
    events.map(({ market }) => market),
    events.map(({ mode }) => mode),
    events.map(({ visitorId }) => visitorId),
    events.map(({ visitId }) => visitId),
    events.map(({ name }) => name),
    events.map(({ pageName }) => pageName),
    events.map(({ pageType }) => pageType),
    events.map(({ device }) => device),
    events.map(({ purposes }) => purposes.join(',')),
    events.map(({ data }) => JSON.stringify(data)),
    events.map(({ at }) => at.toISOString()),
    events.map(({ network }) => network),
  ])
}

export interface StoredVital {
  id: string
  market: Market
  mode: Mode
  pageName: string
  device: Device
  metric: string
  value: number
  detail: string | null
  version: string
}

// An interaction of a line is one row a day (`interactionIdOf`).
const insertVitals = {
  name: 'insights.write-vitals',
  text: `insert into insights.web_vital (day, id, market, mode, page_name, device, metric, value, detail, version)
    select (now() at time zone 'UTC')::date, id, market, mode, "pageName", device, metric, value, detail, version
    from jsonb_to_recordset($1::jsonb) as e (id uuid, market text, mode text, "pageName" text, device text, metric text,
      value real, detail text, version text)
    on conflict do nothing`,
}

export async function writeVitals(db: Db, vitals: readonly StoredVital[]): Promise<void> {
  await db.run(insertVitals, [JSON.stringify(vitals)])
}

export interface ProEvent {
  id: string
  market: Market
  platformId: string
  event: string
  visitorId: string
  customerId: string
  productId: number
  categoryId: number | null
}

const insertProEvents = {
  name: 'insights.write-pro-events',
  text: `insert into insights.pro_event (id, market, platform_id, event, visitor_id, customer_id, product_id, category_id)
    select id, market, "platformId", event, "visitorId", "customerId", "productId", "categoryId"
    from jsonb_to_recordset($1::jsonb) as e (id uuid, market text, "platformId" text, event text, "visitorId" uuid, "customerId" uuid,
      "productId" bigint, "categoryId" bigint)`,
}

export async function writeProEvents(db: Db, events: readonly ProEvent[]): Promise<void> {
  await db.run(insertProEvents, [JSON.stringify(events)])
}

const forgetEvents = {
  name: 'insights.forget-visitor',
  text: `delete from insights.event where visitor_id = $1 and coalesce(arrived_at, received_at) <= coalesce($2::timestamptz, 'infinity')`,
}
const forgetProEvents = {
  name: 'insights.forget-visitor-pro',
  text: `delete from insights.pro_event where visitor_id = $1 and at <= coalesce($2::timestamptz, 'infinity')`,
}

/** Events and product views of a visitor who withdrew consent to statistics, until then. */
export async function forgetVisitor(db: Db, visitorId: string, until?: string): Promise<void> {
  await Promise.all([forgetEvents, forgetProEvents].map((statement) => db.run(statement, [visitorId, until ?? null])))
}

const forgetCustomer = {
  name: 'insights.forget-customer',
  text: `delete from insights.pro_event where customer_id = $1 and at <= coalesce($2::timestamptz, 'infinity')`,
}

/** Product views of a customer: all if the account is erased, or those until a withdrawal. */
export async function forgetViewsOf(db: Db, customerId: string, until?: string): Promise<void> {
  await db.run(forgetCustomer, [customerId, until ?? null])
}

const views = {
  name: 'insights.views-of',
  text: `select product_id as "productId", category_id as "categoryId", at from insights.pro_event where customer_id = $1 order by at`,
}

/** The product views stored for a customer. */
export function readViewsOf(db: Db, customerId: string): Promise<{ productId: string; categoryId: string | null; at: Date }[]> {
  return db.rows(views, [customerId])
}
