import type { Market } from '@purlin/contract/markets.ts'
import { newId, type Db } from '#platform'
import type { DueKind } from './deadlines.ts'
import type { ParcelEvent } from './parcel.ts'

export interface Parcel {
  id: string
  sellerOrderId: string
  customerOrderId: string
  sellerId: number
  market: Market
  carrier: string
  trackingNumber: string | null
  labelFile: string | null
  expectedBy: Date | null
  /** Set when the parcel arrives at a pick-up point. */
  heldUntil: Date | null
  createdAt: Date
  events: ParcelEvent[]
}

const columns = `p.id, p.seller_order_id as "sellerOrderId", p.customer_order_id as "customerOrderId", p.seller_id as "sellerId", p.market, p.carrier,
  p.tracking_number as "trackingNumber", p.label_file as "labelFile", p.expected_by as "expectedBy", p.held_until as "heldUntil", p.created_at as "createdAt",
  coalesce((select jsonb_agg(jsonb_build_object('sourceId', e.source_id, 'kind', e.kind, 'at', e.at, 'place', e.place) order by e.at, e.received_at)
    from fulfilment.parcel_event e where e.parcel_id = p.id), '[]') as events`

/** Times within JSON arrive as text. */
const withTimes = (parcel: Parcel): Parcel => ({ ...parcel, events: parcel.events.map((event) => ({ ...event, at: new Date(event.at) })) })
const one = async (found: Promise<Parcel | undefined>): Promise<Parcel | undefined> => {
  const parcel = await found
  return parcel && withTimes(parcel)
}

const ofOrder = {
  name: 'fulfilment.parcels-of-order',
  text: `select ${columns} from fulfilment.parcel p where p.customer_order_id = $1 order by p.created_at, p.id`,
}
export async function readParcels(db: Db, customerOrderId: string): Promise<Parcel[]> {
  return (await db.rows<Parcel>(ofOrder, [customerOrderId])).map(withTimes)
}

const ofOrders = {
  name: 'fulfilment.parcels-of-orders',
  text: `select p.seller_order_id as "orderId", p.carrier, p.tracking_number as "trackingNumber", p.expected_by as "expectedBy", p.held_until as "heldUntil",
      p.created_at as "createdAt", coalesce((select jsonb_agg(jsonb_build_object('kind', e.kind, 'at', e.at, 'place', e.place) order by e.at)
        from fulfilment.parcel_event e where e.parcel_id = p.id), '[]') as events
    from fulfilment.parcel p where p.customer_order_id = any($1) order by p.created_at, p.id`,
}
/** The parcels of these orders: for their buyer's data export. */
export function readParcelsAbout(db: Db, customerOrderIds: readonly string[]): Promise<unknown[]> {
  return db.rows<object>(ofOrders, [customerOrderIds])
}

const byId = { name: 'fulfilment.parcel', text: `select ${columns} from fulfilment.parcel p where p.id = $1` }
export function readParcel(db: Db, id: string): Promise<Parcel | undefined> {
  return one(db.row<Parcel>(byId, [id]))
}

const byToken = { name: 'fulfilment.parcel-by-token', text: `select ${columns} from fulfilment.parcel p where p.token_hash = $1` }
export function readParcelByToken(db: Db, hash: Buffer): Promise<Parcel | undefined> {
  return one(db.row<Parcel>(byToken, [hash]))
}

const byTracking = {
  name: 'fulfilment.parcel-by-tracking',
  text: `select ${columns} from fulfilment.parcel p where p.carrier = $1 and p.tracking_number = $2`,
}
export function readParcelByTracking(db: Db, carrier: string, trackingNumber: string): Promise<Parcel | undefined> {
  return one(db.row<Parcel>(byTracking, [carrier, trackingNumber]))
}

export type NewParcel = Omit<Parcel, 'events' | 'labelFile' | 'expectedBy' | 'heldUntil' | 'createdAt'> & {
  tokenHash: Buffer
  expectedBy?: Date | null
}
const insert = {
  name: 'fulfilment.insert-parcel',
  text: `insert into fulfilment.parcel (id, seller_order_id, customer_order_id, seller_id, market, carrier, tracking_number, token_hash, expected_by, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
}
/** False when the carrier's tracking number is already that of another parcel. */
export async function writeParcel(db: Db, parcel: NewParcel, now: Date): Promise<boolean> {
  const { id, sellerOrderId, customerOrderId, sellerId, market, carrier, trackingNumber, tokenHash, expectedBy = null } = parcel
  const values = [id, sellerOrderId, customerOrderId, sellerId, market, carrier, trackingNumber, tokenHash, expectedBy, now]
  return (await db.run(insert, values)) === 1
}

const booked = {
  name: 'fulfilment.parcel-booked',
  text: `update fulfilment.parcel set tracking_number = $2, label_file = $3, expected_by = coalesce($4, expected_by)
    where id = $1 and tracking_number is null and forgotten_at is null`,
}
/** False when the parcel is booked already, or has been forgotten. */
export async function writeBooking(
  db: Db,
  id: string,
  { trackingNumber, labelFile, expectedBy }: { trackingNumber: string; labelFile: string; expectedBy: Date | null },
): Promise<boolean> {
  return (await db.run(booked, [id, trackingNumber, labelFile, expectedBy])) === 1
}

// A lock waits for a transaction that forgets the parcel.
const insertEvent = {
  name: 'fulfilment.insert-event',
  text: `insert into fulfilment.parcel_event (parcel_id, source_id, kind, at, place)
    select p.id, $2, $3, $4, case when p.forgotten_at is null then $5 end from fulfilment.parcel p where p.id = $1 for key share
    on conflict do nothing`,
}
/** False when the event is recorded already. The place of a parcel that has been forgotten is not stored. */
export async function writeEvent(db: Db, parcelId: string, { sourceId, kind, at, place }: ParcelEvent): Promise<boolean> {
  return (await db.run(insertEvent, [parcelId, sourceId, kind, at, place])) === 1
}

const silent = {
  name: 'fulfilment.take-silent',
  text: `update fulfilment.parcel set asked_at = $4 where id = any(array(select p.id from fulfilment.parcel p
      where p.carrier = $1 and p.tracking_number is not null and p.created_at > $2 and coalesce(p.asked_at, p.created_at) < $3
        and not exists (select 1 from fulfilment.parcel_event e
          where e.parcel_id = p.id and (e.kind in ('delivered', 'lost', 'returned') or e.received_at > $3))
      order by p.created_at limit $5 for update skip locked)) returning tracking_number as "trackingNumber"`,
}
/** Parcels of this carrier that have been silent for a while: their messages may have been lost. Each is taken once per while. */
export async function takeSilent(
  db: Db,
  carrier: string,
  { since, silentSince, now, limit }: { since: Date; silentSince: Date; now: Date; limit: number },
): Promise<string[]> {
  const rows = await db.rows<{ trackingNumber: string }>(silent, [carrier, since, silentSince, now, limit])
  return rows.map(({ trackingNumber }) => trackingNumber)
}

const keep = {
  name: 'fulfilment.keep-message',
  text: 'insert into fulfilment.carrier_message (id) values ($1) on conflict do nothing',
}
/** False when the message has been received before. */
export async function keepMessage(db: Db, id: string): Promise<boolean> {
  return (await db.run(keep, [id])) === 1
}

const dropMessages = {
  name: 'fulfilment.drop-messages',
  text: `delete from fulfilment.carrier_message where id = any(array(select id from fulfilment.carrier_message where received_at < $1 limit 5000))`,
}
/** Messages older than their signature's validity cannot be repeated. */
export async function forgetMessages(db: Db, before: Date): Promise<void> {
  await db.run(dropMessages, [before])
}

export interface Due {
  sellerOrderId: string
  kind: DueKind
  customerOrderId: string
  sellerId: number
  market: Market
  dueAt: Date
  step: number
}
const dueColumns = `seller_order_id as "sellerOrderId", kind, customer_order_id as "customerOrderId", seller_id as "sellerId", market, due_at as "dueAt", step`

// A later deadline of the same kind replaces an earlier one: more pieces have reached the state.
const setDues = {
  name: 'fulfilment.set-dues',
  text: `insert into fulfilment.due (seller_order_id, kind, customer_order_id, seller_id, market, due_at, next_at)
    select *, due_at from unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::text[], $6::timestamptz[])
      as d (seller_order_id, kind, customer_order_id, seller_id, market, due_at)
    on conflict (seller_order_id, kind) do update set due_at = excluded.due_at, next_at = excluded.next_at, step = 0
      where fulfilment.due.due_at < excluded.due_at`,
}
export async function writeDues(db: Db, dues: readonly Omit<Due, 'step'>[]): Promise<void> {
  const column = <Name extends keyof Omit<Due, 'step'>>(name: Name) => dues.map((due) => due[name])
  await db.run(setDues, [
    column('sellerOrderId'),
    column('kind'),
    column('customerOrderId'),
    column('sellerId'),
    column('market'),
    column('dueAt'),
  ])
}

const missed = {
  name: 'fulfilment.missed',
  text: `select ${dueColumns} from fulfilment.due where next_at <= $1 order by next_at limit $2 for update skip locked`,
}
export function takeMissed(db: Db, now: Date, limit: number): Promise<Due[]> {
  return db.rows<Due>(missed, [now, limit])
}

const stepDue = {
  name: 'fulfilment.step-due',
  text: `update fulfilment.due set step = step + 1, next_at = $3 where seller_order_id = $1 and kind = $2`,
}
export async function postponeDue(db: Db, { sellerOrderId, kind }: Pick<Due, 'sellerOrderId' | 'kind'>, nextAt: Date): Promise<void> {
  await db.run(stepDue, [sellerOrderId, kind, nextAt])
}

const dropDue = { name: 'fulfilment.drop-due', text: `delete from fulfilment.due where seller_order_id = $1 and kind = $2` }
export async function endDue(db: Db, { sellerOrderId, kind }: Pick<Due, 'sellerOrderId' | 'kind'>): Promise<void> {
  await db.run(dropDue, [sellerOrderId, kind])
}

const duesOfOrder = {
  name: 'fulfilment.dues-of-order',
  text: `select ${dueColumns} from fulfilment.due where seller_order_id = any($1)`,
}
export function readDues(db: Db, sellerOrderIds: readonly string[]): Promise<Due[]> {
  return db.rows<Due>(duesOfOrder, [sellerOrderIds])
}

const ofSeller = {
  name: 'fulfilment.dues-of-seller',
  text: `select ${dueColumns} from fulfilment.due where seller_id = $1 and kind = $2 and (due_at, seller_order_id) > ($3, $4)
    order by due_at, seller_order_id limit $5`,
}
/** A seller's work of one kind, most urgent first, after a cursor. */
export function readDuesOfSeller(
  db: Db,
  sellerId: number,
  kind: DueKind,
  { after, limit }: { after: { dueAt: Date; sellerOrderId: string } | null; limit: number },
): Promise<Due[]> {
  return db.rows<Due>(ofSeller, [sellerId, kind, after?.dueAt ?? new Date(0), after?.sellerOrderId ?? '', limit])
}

export const newParcelId = newId

const expected = {
  name: 'fulfilment.expected',
  text: 'update fulfilment.parcel set expected_by = $2 where id = $1 and expected_by is distinct from $2',
}
export async function writeExpected(db: Db, id: string, expectedBy: Date): Promise<void> {
  await db.run(expected, [id, expectedBy])
}

const hold = {
  name: 'fulfilment.hold',
  text: 'update fulfilment.parcel set held_until = $2 where id = $1 and held_until is distinct from $2',
}
/** False when the parcel is known to be held until then. */
export async function writeHeld(db: Db, id: string, heldUntil: Date): Promise<boolean> {
  return (await db.run(hold, [id, heldUntil])) === 1
}

// Locked by a statement of their own: an event whose transaction the lock waits for is visible to the next statement only.
const lockOfOrders = {
  name: 'fulfilment.lock-parcels-of-orders',
  text: 'select id from fulfilment.parcel where customer_order_id = any($1) order by id for update',
}
const lockOld = {
  name: 'fulfilment.lock-old-parcels',
  text: `select id from fulfilment.parcel where forgotten_at is null and created_at < $1 order by created_at limit $2 for update skip locked`,
}
const forget = {
  name: 'fulfilment.forget',
  text: `with forgotten as (
      select id, carrier, label_file from fulfilment.parcel where id = any($1)),
    marked as (
      update fulfilment.parcel p set label_file = null, forgotten_at = now() from forgotten f where p.id = f.id),
    places as (
      update fulfilment.parcel_event e set place = null from forgotten f where e.parcel_id = f.id and e.place is not null)
  select id::text, carrier, label_file as "labelFile" from forgotten`,
}

export interface ForgottenParcel {
  id: string
  carrier: string
  /** The key of the label it had. */
  labelFile: string | null
}

/** Parcels of these orders lose their labels, which show the recipient's address, and the towns where they were. Within a transaction. */
export async function forgetParcelsOf(db: Db, customerOrderIds: readonly string[]): Promise<ForgottenParcel[]> {
  return forgetLocked(db, await db.rows(lockOfOrders, [customerOrderIds]))
}

/** The same for parcels from before a time that still have them, oldest first. */
export async function forgetParcelsSentBefore(db: Db, before: Date, limit: number): Promise<ForgottenParcel[]> {
  return forgetLocked(db, await db.rows(lockOld, [before, limit]))
}

async function forgetLocked(db: Db, parcels: readonly { id: string }[]): Promise<ForgottenParcel[]> {
  return parcels.length === 0 ? [] : db.rows(forget, [parcels.map(({ id }) => id)])
}

const isForgotten = { name: 'fulfilment.is-forgotten', text: 'select 1 from fulfilment.parcel where id = $1 and forgotten_at is not null' }
/** Whether the parcel's personal data has been removed. */
export async function isForgottenParcel(db: Db, id: string): Promise<boolean> {
  return (await db.row(isForgotten, [id])) !== undefined
}
