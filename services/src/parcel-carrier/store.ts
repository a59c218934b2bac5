import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Detail } from './plan.ts'

export interface Address {
  name: string
  company: string | null
  street1: string
  street2: string | null
  zip: string
  city: string
  country: string
}

export interface Shipment {
  id: string
  /** The client's own id: booking it again returns the same shipment. */
  reference: string
  from: Address
  to: Address
  service: string
  /** The pick-up point that holds it; null, or absent from parcels of earlier releases, for the door. */
  point?: string | null
  daysMin: number
  daysMax: number
  /** Absent from parcels of earlier releases. */
  grams?: number
  /** When the recipient wants it; `null` while that is to be agreed. Absent from parcels for the door. */
  window?: { from: string; to: string } | null
  /** How long a pick-up point holds it. Absent from parcels of earlier releases. */
  heldMs?: number
  /** Null until it is bought. */
  code: string | null
  estimate: string | null
  plan: Detail[]
}

/** A driver's appointment at somebody's door. */
export interface Pickup {
  id: string
  reference: string
  from: string
  to: string
  address: Address
  instructions: string | null
  status: PickupStatus
  /** The status that the shop has acknowledged. */
  told: PickupStatus
  /** When the driver has been there; null unless scheduled. */
  endsAt: number | null
}
export type PickupStatus = 'unknown' | 'scheduled' | 'canceled' | 'collected' | 'missed'

export interface Due {
  id: string
  told: number
  attempts: number
}

export type Store = ReturnType<typeof openStore>

/** The carrier's parcels and pickups on disk, each with the number of events that the shop has acknowledged. */
export function openStore(file: string) {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  const db = new DatabaseSync(file)
  db.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma secure_delete = on;
    create table if not exists shipment (id text primary key, reference text not null unique, code text unique, body text not null,
      told integer not null default 0, attempts integer not null default 0, next_at integer) strict;
    create index if not exists shipment_next on shipment (next_at) where next_at is not null;
    create table if not exists pickup (id text primary key, reference text not null unique, body text not null,
      attempts integer not null default 0, next_at integer) strict;`)
  const sql = {
    find: db.prepare('select body from shipment where id = ? or reference = ?'),
    byCode: db.prepare('select body from shipment where code = ?'),
    put: db.prepare(`insert into shipment (id, reference, code, body, next_at) values (?, ?, ?, ?, ?)
      on conflict (id) do update set code = excluded.code, body = excluded.body, next_at = excluded.next_at`),
    replace: db.prepare('update shipment set body = ? where id = ?'),
    due: db.prepare('select id, told, attempts from shipment where next_at <= ? order by next_at limit ?'),
    heard: db.prepare('update shipment set told = ?, attempts = 0, next_at = ? where id = ?'),
    findPickup: db.prepare('select body from pickup where id = ? or reference = ?'),
    putPickup: db.prepare(`insert into pickup (id, reference, body, next_at) values (?, ?, ?, ?)
      on conflict (id) do update set body = excluded.body, next_at = excluded.next_at, attempts = 0`),
    replacePickup: db.prepare('update pickup set body = ? where id = ?'),
    duePickups: db.prepare('select body, attempts from pickup where next_at <= ? order by next_at limit ?'),
    laterPickup: db.prepare('update pickup set attempts = attempts + 1, next_at = ? where id = ?'),
    heldAt: db.prepare("select count(*) as held from shipment where next_at is not null and json_extract(body, '$.point') = ?"),
    later: db.prepare('update shipment set attempts = attempts + 1, next_at = ? where id = ?'),
  }
  const read = (row: unknown): Shipment | undefined => (row ? (JSON.parse((row as { body: string }).body) as Shipment) : undefined)
  const readPickup = (row: unknown): Pickup | undefined => (row ? (JSON.parse((row as { body: string }).body) as Pickup) : undefined)
  return {
    find: (key: string) => read(sql.find.get(key, key)),
    byCode: (code: string) => read(sql.byCode.get(code)),
    save: (shipment: Shipment, nextAt: number | null) =>
      void sql.put.run(shipment.id, shipment.reference, shipment.code, JSON.stringify(shipment), nextAt),
    /** Leaves alone when the shop is told next. */
    replace: (shipment: Shipment) => void sql.replace.run(JSON.stringify(shipment), shipment.id),
    due: (now: number, limit: number) => sql.due.all(now, limit) as unknown as Due[],
    heard: (id: string, told: number, nextAt: number | null) => void sql.heard.run(told, nextAt, id),
    later: (id: string, nextAt: number) => void sql.later.run(nextAt, id),
    /** Parcels on their way to a point, or waiting there. */
    heldAt: (point: string): number => Number((sql.heldAt.get(point) as { held: number }).held),
    findPickup: (key: string): Pickup | undefined => readPickup(sql.findPickup.get(key, key)),
    savePickup: (pickup: Pickup, nextAt: number | null) =>
      void sql.putPickup.run(pickup.id, pickup.reference, JSON.stringify(pickup), nextAt),
    replacePickup: (pickup: Pickup) => void sql.replacePickup.run(JSON.stringify(pickup), pickup.id),
    duePickups: (now: number, limit: number) =>
      (sql.duePickups.all(now, limit) as unknown as { body: string; attempts: number }[]).map(({ body, attempts }) => ({
        pickup: JSON.parse(body) as Pickup,
        attempts,
      })),
    laterPickup: (id: string, nextAt: number) => void sql.laterPickup.run(nextAt, id),
    /** The write-ahead log holds earlier versions of rows until it is truncated. */
    truncateLog: () => db.exec('pragma wal_checkpoint(truncate)'),
    close: () => db.close(),
  }
}
