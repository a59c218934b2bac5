import { randomUUID } from 'node:crypto'
import type { Db } from './scope.ts'

let lastMs = 0
let sequence = 0

/** A new uuidv7: created by the application, sortable by time, and in creation order within a millisecond of this process. */
export function newId(): string {
  const now = Date.now()
  if (now > lastMs) {
    lastMs = now
    sequence = 0
  } else if (++sequence > 0xfff) {
    lastMs++
    sequence = 0
  }
  const time = lastMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}-${randomUUID().slice(19)}`
}

/** Validates an id before it is used in a query: anything else is not looked up. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

const take = {
  name: 'platform.take-numbers',
  text: `insert into platform.allocator as a (kind, next) values ($1, $2::bigint + $3::bigint)
    on conflict (kind) do update set next = a.next + $3::bigint returning (next - $3::bigint)::text as first`,
}

/**
 * Allocates `count` public numeric ids of a kind and returns the first: they are first … first + count - 1.
 * The first id ever allocated is `startAt`. The row stays locked until the transaction ends.
 */
export async function takeNumbers(db: Db, kind: string, count = 1, startAt = 1): Promise<number> {
  const row = await db.row<{ first: string }>(take, [kind, startAt, count])
  if (!row) throw new Error(`No ids left to allocate for ${kind}`)
  return Number(row.first)
}
