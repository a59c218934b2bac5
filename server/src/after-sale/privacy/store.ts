import type { Db } from '#platform'

export interface DataExport {
  id: string
  fileKey: string | null
  requestedAt: Date
  expiresAt: Date | null
}

const columns = `id, file_key as "fileKey", requested_at as "requestedAt", expires_at as "expiresAt"`
const latest = {
  name: 'privacy.latest-export',
  text: `select ${columns} from privacy.export where customer_id = $1 order by requested_at desc limit 1`,
}
const ask = { name: 'privacy.ask-export', text: 'insert into privacy.export (id, customer_id) values ($2, $1)' }
const finish = {
  name: 'privacy.finish-export',
  text: `update privacy.export set file_key = $2, expires_at = now() + interval '7 days' where id = $1 and file_key is null`,
}
const known = { name: 'privacy.is-export', text: 'select 1 from privacy.export where file_key = $1' }
const expired = {
  name: 'privacy.drop-expired',
  text: `delete from privacy.export where id in (select id from privacy.export where expires_at < now() limit 500) returning file_key as key`,
}
const dropAll = {
  name: 'privacy.drop-exports',
  text: 'delete from privacy.export where customer_id = $1 returning id, file_key as "fileKey"',
}
const begin = { name: 'privacy.begin-erasure', text: 'insert into privacy.erasure (customer_id) values ($1) on conflict do nothing' }
const began = { name: 'privacy.erasure-began', text: 'select requested_at as at from privacy.erasure where customer_id = $1' }
const end = { name: 'privacy.end-erasure', text: 'update privacy.erasure set done_at = now() where customer_id = $1' }

export function readLatestExport(db: Db, customerId: string): Promise<DataExport | undefined> {
  return db.row<DataExport>(latest, [customerId])
}

export async function insertExport(db: Db, customerId: string, id: string): Promise<void> {
  await db.run(ask, [customerId, id])
}

/** False when it is already finished. */
export async function finishExport(db: Db, id: string, fileKey: string): Promise<boolean> {
  return (await db.run(finish, [id, fileKey])) === 1
}

/** Whether this file is a data export. */
export async function isExport(db: Db, fileKey: string): Promise<boolean> {
  return (await db.row(known, [fileKey])) !== undefined
}

/** Deletes expired exports; returns the keys of their files. */
export async function dropExpired(db: Db): Promise<string[]> {
  return keysOf(await db.rows<{ key: string | null }>(expired))
}

export function dropExportsOf(db: Db, customerId: string): Promise<{ id: string; fileKey: string | null }[]> {
  return db.rows(dropAll, [customerId])
}

function keysOf(rows: readonly { key: string | null }[]): string[] {
  return rows.flatMap(({ key }) => key ?? [])
}

export async function beginErasure(db: Db, customerId: string): Promise<void> {
  await db.run(begin, [customerId])
}

/** The time at which the account was closed; undefined if nothing is recorded of its erasure. */
export async function erasureBegan(db: Db, customerId: string): Promise<Date | undefined> {
  return (await db.row<{ at: Date }>(began, [customerId]))?.at
}

export async function endErasure(db: Db, customerId: string): Promise<void> {
  await db.run(end, [customerId])
}
