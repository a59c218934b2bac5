import { codeOf, type Db, type Statement } from '#platform'
import type { StoredEvent } from './store.ts'

const insertBurst = { name: 'insights.write-burst', text: 'insert into insights.event_burst (senders) values ($1::json)' }

/** What the json of a burst may contain and jsonb refuses: NUL, and half of a surrogate pair. Also matches some texts about them. */
const unstorable = /\\u(?:0000|d[89a-f])/

/**
 * Commits the events of many requests as one row, which costs a tenth of storing each where it is read.
 * @throws {RangeError} for a text that could not be moved to where it is read
 */
export async function writeBurst(db: Db, events: readonly StoredEvent[]): Promise<void> {
  const text = JSON.stringify(bySender(events))
  if (unstorable.test(text)) throw new RangeError('A text of an event contains a character that cannot be stored')
  await db.run(insertBurst, [text])
}

interface FromSender {
  sender: Pick<StoredEvent, 'market' | 'mode' | 'visitorId' | 'visitId' | 'device' | 'purposes'>
  events: unknown[]
}

/** Events of one request stand together, and what they share is said once: half the bytes to send and to store. */
function bySender(events: readonly StoredEvent[]): object[] {
  const all: FromSender[] = []
  for (const { market, mode, visitorId, visitId, device, purposes, ...event } of events) {
    const last = all.at(-1)
    const { sender: known } = last ?? {}
    const isSame =
      known?.visitorId === visitorId &&
      known.visitId === visitId &&
      known.purposes === purposes &&
      known.device === device &&
      known.market === market &&
      known.mode === mode
    if (last && isSame) last.events.push(event)
    else all.push({ sender: { market, mode, visitorId, visitId, device, purposes }, events: [event] })
  }
  return all.map(({ sender, events: theirs }) => ({ ...sender, events: theirs }))
}

const fields = 'day, id, market, mode, visitor_id, visit_id, name, page_name, page_type, device, purposes, data, at, network'
const values = `(at at time zone 'UTC')::date, id, market, mode, "visitorId", "visitId", name, "pageName", "pageType", device, purposes, data, at, network`
const sender = 'market text, mode text, "visitorId" uuid, "visitId" uuid, device text, purposes text[]'
const event = 'id uuid, name text, "pageName" text, "pageType" text, data jsonb, at timestamptz, network integer'
const sources = {
  event_burst: `json_to_recordset(taken.content) as s (${sender}, events json), json_to_recordset(s.events) as e (${event})`,
  // Of the release before this one: each event names its sender.
  burst: `jsonb_to_recordset(taken.content) as e (${sender}, ${event})`,
}
type Table = keyof typeof sources
const columns = { event_burst: 'senders', burst: 'events' } as const
const tables = Object.keys(sources) as Table[]

const waiting = (table: Table, taken: string) =>
  `id = (select id from insights.${table} where problem is null order by id limit 1 for update ${taken})`
const move = (table: Table, which: string) => `
    with taken as (delete from insights.${table} where ${which} returning ${columns[table]} as content),
      moved as (insert into insights.event (${fields}) select ${values} from taken, ${sources[table]} on conflict do nothing)
    select 1 as found from taken`
const statements = Object.fromEntries(
  tables.map((table) => [
    table,
    {
      moveFree: { name: `insights.move-${table}`, text: move(table, waiting(table, 'skip locked')) },
      moveEach: { name: `insights.move-each-${table}`, text: move(table, waiting(table, '')) },
      park: { name: `insights.park-${table}`, text: `update insights.${table} set problem = $1 where ${waiting(table, 'skip locked')}` },
      find: {
        name: `insights.find-${table}`,
        text: `select id from insights.${table} where problem is null and strpos(${columns[table]}::text, $1::uuid::text) > 0 order by id`,
      },
      moveFound: { name: `insights.move-found-${table}`, text: move(table, 'problem is null and id = any($1::bigint[])') },
    },
  ]),
) as Record<Table, Record<'moveFree' | 'moveEach' | 'park' | 'find' | 'moveFound', Statement>>

/** SQLSTATEs of data that Postgres refuses whenever it is tried: 22 and 23. */
const isRefusedData = (error: unknown): boolean => /^2[23]/.test(codeOf(error) ?? '')

/**
 * Moves the oldest burst that no other process is moving to insights.event. One whose events Postgres refuses is kept with
 * the reason, and those after it go on.
 * @returns whether there was one
 */
export async function moveBurst(db: Db): Promise<boolean> {
  for (const table of tables) {
    const { moveFree, park } = statements[table]
    try {
      if (await db.row(moveFree)) return true
    } catch (error) {
      if (!isRefusedData(error)) throw error
      if ((await db.run(park, [error instanceof Error ? error.message : String(error)])) > 0) return true
    }
  }
  return false
}

export type BurstIds = Readonly<Record<Table, readonly string[]>>

/** The bursts that contain events of a visitor. Reading the others costs a hundredth of moving them. */
export async function findBurstsOf(db: Db, visitorId: string): Promise<BurstIds> {
  const idsIn = async (table: Table) => (await db.rows<{ id: string }>(statements[table].find, [visitorId])).map(({ id }) => id)
  const [event_burst, burst] = await Promise.all([idsIn('event_burst'), idsIn('burst')])
  return { event_burst, burst }
}

/** Moves these bursts, and waits for those that others are moving. */
export async function moveFoundBursts(db: Db, found: BurstIds): Promise<void> {
  for (const table of tables) if (found[table].length > 0) await db.run(statements[table].moveFound, [found[table]])
}

/** Moves all bursts, and waits for those that others are moving: afterwards insights.event is complete. Under load it does not end. */
export async function moveAllBursts(db: Db): Promise<void> {
  for (const table of tables) while (await db.row(statements[table].moveEach)) continue
}

const forget = {
  name: 'insights.forget-refused',
  text: `with earlier as (delete from insights.burst where problem is not null and strpos(events::text, $1::uuid::text) > 0)
    delete from insights.event_burst where problem is not null and strpos(senders::text, $1::uuid::text) > 0`,
}
/** Deletes rejected bursts that contain events of a visitor. Other events of the same burst go with them: nobody reads a rejected burst. */
export const forgetRefused = (db: Db, visitorId: string): Promise<number> => db.run(forget, [visitorId])

const trim = {
  name: 'insights.trim-refused',
  text: `with earlier as (delete from insights.burst where problem is not null and received_at < $1)
    delete from insights.event_burst where problem is not null and received_at < $1`,
}
export const deleteOldRefused = (db: Db, before: Date): Promise<number> => db.run(trim, [before])
