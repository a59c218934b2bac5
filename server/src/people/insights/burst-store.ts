import { codeOf, type Db } from '#platform'
import type { StoredEvent } from './store.ts'

const insertBurst = { name: 'insights.write-burst', text: 'insert into insights.burst (events) values ($1::jsonb)' }

/** Commits the events of many requests as one row, which costs a tenth of storing each where it is read. */
export async function writeBurst(db: Db, events: readonly StoredEvent[]): Promise<void> {
  await db.run(insertBurst, [JSON.stringify(events)])
}

const move = (taken: string) => `
    with burst as (delete from insights.burst where id = (select id from insights.burst where problem is null order by id limit 1 ${taken})
        returning events),
      moved as (
        insert into insights.event (day, id, market, mode, visitor_id, visit_id, name, page_name, page_type, device, purposes, data, at)
        select (at at time zone 'UTC')::date, id, market, mode, "visitorId", "visitId", name, "pageName", "pageType", device, purposes, data, at
        from burst, jsonb_to_recordset(events) as e (id uuid, market text, mode text, "visitorId" uuid, "visitId" uuid, name text,
          "pageName" text, "pageType" text, device text, purposes text[], data jsonb, at timestamptz)
        on conflict do nothing)
    select 1 as found from burst`
const moveFree = { name: 'insights.move-burst', text: move('for update skip locked') }
const moveEach = { name: 'insights.move-each-burst', text: move('for update') }
const park = {
  name: 'insights.park-burst',
  text: `update insights.burst set problem = $1 where id = (select id from insights.burst where problem is null order by id limit 1 for update skip locked)`,
}

/** SQLSTATEs of data that Postgres refuses whenever it is tried: 22 and 23. */
const isRefusedData = (error: unknown): boolean => /^2[23]/.test(codeOf(error) ?? '')

/**
 * Moves the oldest burst that no other process is moving to insights.event. One whose events Postgres refuses is kept with
 * the reason, and those after it go on.
 * @returns whether there was one
 */
export async function moveBurst(db: Db): Promise<boolean> {
  try {
    return (await db.row(moveFree)) !== undefined
  } catch (error) {
    if (!isRefusedData(error)) throw error
    return (await db.run(park, [error instanceof Error ? error.message : String(error)])) > 0
  }
}

/** Moves all bursts in the caller's transaction, and waits for those that others are moving: afterwards insights.event is complete. */
export async function moveAllBursts(db: Db): Promise<void> {
  while (await db.row(moveEach)) continue
}

const forget = {
  name: 'insights.forget-refused',
  text: `delete from insights.burst where problem is not null and events @> jsonb_build_array(jsonb_build_object('visitorId', $1::text))`,
}
/** Deletes rejected bursts that contain events of a visitor. Other events of the same burst go with them: nobody reads a rejected burst. */
export const forgetRefused = (db: Db, visitorId: string): Promise<number> => db.run(forget, [visitorId])

const trim = { name: 'insights.trim-refused', text: 'delete from insights.burst where problem is not null and received_at < $1' }
export const deleteOldRefused = (db: Db, before: Date): Promise<number> => db.run(trim, [before])
