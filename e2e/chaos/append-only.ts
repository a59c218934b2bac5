import type pg from 'pg'
import type { Violation } from '../invariants.ts'

/** Money, orders, payments and stock are told by rows that nobody changes or deletes. */
const tables = [
  'ledger.booking',
  'ledger.entry',
  'orders.transition',
  'payments.transition',
  'catalogue.stock_movement',
  'orders.line_move',
]

export type AuditTrail = ReadonlyMap<string, ReadonlyMap<string, number>>

/** The rows of the append-only tables, by hash. */
export async function readAuditTrail(pool: pg.Pool): Promise<AuditTrail> {
  const trail = new Map<string, Map<string, number>>()
  for (const table of tables) {
    const { rows } = await pool.query<{ hash: string; n: number }>(
      `select md5(t::text) as hash, count(*)::int as n from ${table} t group by 1`,
    )
    trail.set(table, new Map(rows.map(({ hash, n }) => [hash, n])))
  }
  return trail
}

/** I10: no earlier row has changed or gone, and each change of money has exactly one entry. */
export async function auditViolations(pool: pg.Pool, before: AuditTrail): Promise<Violation[]> {
  const found: Violation[] = []
  const now = await readAuditTrail(pool)
  for (const [table, hashes] of before) {
    const missing = [...hashes].filter(([hash, n]) => (now.get(table)?.get(hash) ?? 0) < n)
    if (missing.length > 0) found.push({ id: 'I10', what: `${missing.length} rows of ${table} were changed or deleted` })
  }
  const { rows } = await pool.query<{ id: string; bookings: number; steps: number }>(
    `select p.id::text, (select count(*)::int from ledger.booking b where b.key = 'capture:' || p.id) as bookings,
        (select count(*)::int from payments.transition t where t.payment_id = p.id and t.applied and t.to_state = 'captured' and t.cause <> 'refund-returned') as steps
      from payments.payment p where p.captured > 0`,
  )
  for (const { id, bookings, steps } of rows)
    if (bookings !== 1 || steps !== 1)
      found.push({ id: 'I10', what: `the capture of the payment ${id} has ${bookings} bookings and ${steps} steps` })
  return found
}
