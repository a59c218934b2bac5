import type { Db } from '#platform'
import type { KeptSegments } from './segments.ts'

const columns = 'customer_id as "customerId", computed, imported, declared, last_visit_at as "lastVisitAt"'
const find = { name: 'segments.find', text: `select ${columns} from segments.customer where customer_id = $1` }
// Shared: orders may hold the same row, the night waits for them.
const hold = { name: 'segments.hold', text: `${find.text} for share` }
const findAll = { name: 'segments.find-all', text: `select ${columns} from segments.customer where customer_id = any($1)` }
const visits = {
  name: 'segments.visits',
  text: 'select customer_id as "customerId", last_visit_at as "lastVisitAt" from segments.customer where customer_id = any($1)',
}
const declare = {
  name: 'segments.declare',
  text: `insert into segments.customer as c (customer_id, declared, declared_at) values ($1, $2, now())
    on conflict (customer_id) do update set declared = c.declared || excluded.declared, declared_at = now()`,
}
// A null takes the imported value back.
const take = {
  name: 'segments.import',
  text: `insert into segments.customer as c (customer_id, imported, imported_at) values ($1, jsonb_strip_nulls($2::jsonb), now())
    on conflict (customer_id) do update set imported = jsonb_strip_nulls(c.imported || $2::jsonb), imported_at = now()`,
}
const compute = {
  name: 'segments.compute',
  text: `insert into segments.customer as c (customer_id, computed, computed_at, last_visit_at)
    select n."customerId", n.computed, now(), n."lastVisitAt"
    from jsonb_to_recordset($1::jsonb) as n ("customerId" uuid, computed jsonb, "lastVisitAt" timestamptz)
    on conflict (customer_id) do update set computed = excluded.computed, computed_at = now(), last_visit_at = excluded.last_visit_at`,
}
const remove = { name: 'segments.delete', text: 'delete from segments.customer where customer_id = $1' }

/** A customer's row; absent before the first night or the first word. */
export function readKept(db: Db, customerId: string): Promise<(KeptSegments & { lastVisitAt: Date | null }) | undefined> {
  return db.row(find, [customerId])
}

/** The same, unchanged until the transaction ends. */
export async function holdKept(db: Db, customerId: string): Promise<KeptSegments | undefined> {
  return db.row(hold, [customerId])
}

export async function readKeptOf(db: Db, customerIds: readonly string[]): Promise<Map<string, KeptSegments>> {
  if (customerIds.length === 0) return new Map()
  const rows = await db.rows<KeptSegments & { customerId: string }>(findAll, [customerIds])
  return new Map(rows.map((row) => [row.customerId, row]))
}

export async function readLastVisits(db: Db, customerIds: readonly string[]): Promise<Map<string, Date>> {
  const rows = await db.rows<{ customerId: string; lastVisitAt: Date | null }>(visits, [customerIds])
  return new Map(rows.flatMap(({ customerId, lastVisitAt }) => (lastVisitAt ? [[customerId, lastVisitAt]] : [])))
}

export async function writeDeclared(db: Db, customerId: string, declared: object): Promise<void> {
  await db.run(declare, [customerId, JSON.stringify(declared)])
}

export async function writeImported(db: Db, customerId: string, imported: object): Promise<void> {
  await db.run(take, [customerId, JSON.stringify(imported)])
}

export interface ComputedRow {
  customerId: string
  computed: object
  lastVisitAt: Date | null
}

export async function writeComputed(db: Db, rows: readonly ComputedRow[]): Promise<void> {
  if (rows.length > 0) await db.run(compute, [JSON.stringify(rows)])
}

/** Everything of a customer who leaves. */
export async function removeSegmentsOf(db: Db, customerId: string): Promise<void> {
  await db.run(remove, [customerId])
}
