import { codeOf, type Db, type LongContext, type Statement } from '#platform'
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

const fields = 'day, id, market, mode, visitor_id, visit_id, name, page_name, page_type, device, purposes, data, at, network, arrived_at'
const values = `(at at time zone 'UTC')::date, id, market, mode, "visitorId", "visitId", name, "pageName", "pageType", device,
  case when withdrawn is null then purposes else array(select unnest(purposes) except select unnest(withdrawn)) end,
  case when 'personalisedAdvertising' = any(withdrawn) then data - 'clickId' else data end, at, network, taken.received_at`
const sender = 'market text, mode text, "visitorId" uuid, "visitId" uuid, device text, purposes text[]'
const event = 'id uuid, name text, "pageName" text, "pageType" text, data jsonb, at timestamptz, network integer'
/** What the visitor has withdrawn since the burst came (withdrawal-store.ts). */
const withdrawals = `left join lateral (select array_agg(w.purpose) as withdrawn from insights.withdrawal w
  where w.visitor_id = "visitorId" and w.at >= taken.received_at) as of_visitor on true`
const sources = {
  event_burst: `json_to_recordset(taken.content) as s (${sender}, events json) ${withdrawals}
    cross join lateral json_to_recordset(s.events) as e (${event})`,
  // Of the release before this one: each event names its sender.
  burst: `jsonb_to_recordset(taken.content) as e (${sender}, ${event}) ${withdrawals}`,
}
type Table = keyof typeof sources
const columns = { event_burst: 'senders', burst: 'events' } as const
const tables = Object.keys(sources) as Table[]

const waiting = (table: Table, taken: string) =>
  `id = (select id from insights.${table} where problem is null order by id limit 1 for update ${taken})`
const move = (table: Table, which: string) => `
    with taken as (delete from insights.${table} where ${which} returning ${columns[table]} as content, received_at),
      moved as (insert into insights.event (${fields}) select ${values} from taken cross join lateral ${sources[table]}
        where ('statistics' = any(withdrawn)) is not true on conflict do nothing)
    select 1 as found from taken`
const statements = Object.fromEntries(
  tables.map((table) => [
    table,
    {
      moveFree: { name: `insights.move-${table}`, text: move(table, waiting(table, 'skip locked')) },
      moveEach: { name: `insights.move-each-${table}`, text: move(table, waiting(table, '')) },
      park: { name: `insights.park-${table}`, text: `update insights.${table} set problem = $1 where ${waiting(table, 'skip locked')}` },
    },
  ]),
) as Record<Table, Record<'moveFree' | 'moveEach' | 'park', Statement>>

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

/** Of one job; more wait for the next. */
const maxBursts = 200

/** Moves the bursts that web processes have left behind. */
export async function moveBursts({ db, signal }: Pick<LongContext, 'db' | 'signal'>): Promise<void> {
  for (let moved = 0; moved < maxBursts && !signal.aborted && (await moveBurst(db)); moved++) continue
}

/** Moves all bursts, and waits for those that others are moving: afterwards insights.event is complete. Under load it does not end. */
export async function moveAllBursts(db: Db): Promise<void> {
  for (const table of tables) while (await db.row(statements[table].moveEach)) continue
}

const ofVisitors = (content: string) =>
  `problem is not null and received_at <= coalesce($2::timestamptz, 'infinity') and exists (select from unnest($1::uuid[]) as v (id) where strpos(${content}::text, v.id::text) > 0)`
const forget = {
  name: 'insights.forget-refused',
  text: `with earlier as (delete from insights.burst where ${ofVisitors('events')})
    delete from insights.event_burst where ${ofVisitors('senders')}`,
}
/** Deletes rejected bursts that contain events of these visitors. Other events of the same burst go with them: nobody reads a rejected burst. */
export const forgetRefused = (db: Db, visitorIds: readonly string[], until?: string): Promise<number> =>
  db.run(forget, [visitorIds, until ?? null])

const trim = {
  name: 'insights.trim-refused',
  text: `with earlier as (delete from insights.burst where problem is not null and received_at < $1)
    delete from insights.event_burst where problem is not null and received_at < $1`,
}
export const deleteOldRefused = (db: Db, before: Date): Promise<number> => db.run(trim, [before])
