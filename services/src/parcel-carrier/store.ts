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
  daysMin: number
  daysMax: number
  /** Null until it is bought. */
  code: string | null
  estimate: string | null
  plan: Detail[]
}

export interface Due {
  id: string
  told: number
  attempts: number
}

export type Store = ReturnType<typeof openStore>

/** The carrier's parcels on disk, each with the number of events that the shop has acknowledged. */
export function openStore(file: string) {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  const db = new DatabaseSync(file)
  db.exec(`pragma journal_mode = wal; pragma synchronous = normal;
    create table if not exists shipment (id text primary key, reference text not null unique, code text unique, body text not null,
      told integer not null default 0, attempts integer not null default 0, next_at integer) strict;
    create index if not exists shipment_next on shipment (next_at) where next_at is not null;`)
  const sql = {
    find: db.prepare('select body from shipment where id = ? or reference = ?'),
    byCode: db.prepare('select body from shipment where code = ?'),
    put: db.prepare(`insert into shipment (id, reference, code, body, next_at) values (?, ?, ?, ?, ?)
      on conflict (id) do update set code = excluded.code, body = excluded.body, next_at = excluded.next_at`),
    due: db.prepare('select id, told, attempts from shipment where next_at <= ? order by next_at limit ?'),
    heard: db.prepare('update shipment set told = ?, attempts = 0, next_at = ? where id = ?'),
    later: db.prepare('update shipment set attempts = attempts + 1, next_at = ? where id = ?'),
  }
  const read = (row: unknown): Shipment | undefined => (row ? (JSON.parse((row as { body: string }).body) as Shipment) : undefined)
  return {
    find: (key: string) => read(sql.find.get(key, key)),
    byCode: (code: string) => read(sql.byCode.get(code)),
    save: (shipment: Shipment, nextAt: number | null) =>
      void sql.put.run(shipment.id, shipment.reference, shipment.code, JSON.stringify(shipment), nextAt),
    due: (now: number, limit: number) => sql.due.all(now, limit) as unknown as Due[],
    heard: (id: string, told: number, nextAt: number | null) => void sql.heard.run(told, nextAt, id),
    later: (id: string, nextAt: number) => void sql.later.run(nextAt, id),
    close: () => db.close(),
  }
}
