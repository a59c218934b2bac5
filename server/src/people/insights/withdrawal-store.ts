import type { ConsentPurpose } from '@purlin/contract/consent.ts'
import type { Db } from '#platform'
import { forgetRefused } from './burst-store.ts'

const isWaiting = (table: string) => `exists (select from insights.${table} where problem is null)`
const note = {
  name: 'insights.note-withdrawal',
  text: `insert into insights.withdrawal (visitor_id, purpose, at)
    select $1::uuid, unnest($2::text[]), coalesce($3::timestamptz, now()) where ${isWaiting('event_burst')} or ${isWaiting('burst')}
    on conflict (visitor_id, purpose) do update set at = greatest(withdrawal.at, excluded.at)`,
}

/** Has every later move of a burst that came before a withdrawal leave out what the visitor has withdrawn. Costs the same however many bursts wait; nothing is noted if none does. */
export async function noteWithdrawal(db: Db, visitorId: string, purposes: readonly ConsentPurpose[], at?: string): Promise<void> {
  await db.run(note, [visitorId, purposes, at ?? null])
}

/** A move by a process of the release before, begun before a withdrawal was noted, stores its events within this; statements are ended earlier. */
const moveSeconds = 5

const oldest = (table: string) => `(select received_at from insights.${table} where problem is null order by id limit 1)`
// Bursts are in order of their ids but for the seconds that a statement may take.
const over = {
  name: 'insights.withdrawals-over',
  text: `select visitor_id as "visitorId", purpose from insights.withdrawal
    where at < least(now(), ${oldest('event_burst')}, ${oldest('burst')}) - interval '1 minute' order by at limit $1 for update skip locked`,
}
// The time of arrival: that of an event is the browser's, whose clock may be wrong, and the visitor may have agreed again.
export const isBeforeWithdrawal = `e.visitor_id = w.visitor_id and coalesce(e.arrived_at, e.received_at - interval '${moveSeconds} seconds') < w.at`
const forgetMoved = {
  name: 'insights.forget-moved',
  text: `delete from insights.event e using insights.withdrawal w where w.visitor_id = any($1) and w.purpose = 'statistics' and ${isBeforeWithdrawal}`,
}
const removeMoved = {
  name: 'insights.remove-moved',
  text: `update insights.event e set purposes = array_remove(e.purposes, w.purpose),
      data = case when w.purpose = 'personalisedAdvertising' then e.data - 'clickId' else e.data end
    from insights.withdrawal w where w.visitor_id = any($1) and w.purpose = $2 and w.purpose = any(e.purposes) and ${isBeforeWithdrawal}`,
}
const end = {
  name: 'insights.end-withdrawals',
  text: 'delete from insights.withdrawal where (visitor_id, purpose) in (select * from unnest($1::uuid[], $2::text[]))',
}

/** Of one statement. */
const maxEnded = 100
/** Of one run; more wait for the next. */
const maxStatements = 20

/**
 * Ends the withdrawals that no waiting burst is old enough for. Moves that were under way when they were noted, moves by
 * processes of the release before, and bursts refused since may have left something.
 */
export async function endWithdrawals(db: Db): Promise<void> {
  for (let run = 0; run < maxStatements; run++) {
    const ended = await db.rows<{ visitorId: string; purpose: ConsentPurpose }>(over, [maxEnded])
    if (ended.length === 0) return
    const visitors = ended.map(({ visitorId }) => visitorId)
    await db.run(forgetMoved, [visitors])
    for (const purpose of ['personalisedAdvertising', 'userPreferences']) await db.run(removeMoved, [visitors, purpose])
    await forgetRefused(
      db,
      ended.flatMap(({ visitorId, purpose }) => (purpose === 'statistics' ? visitorId : [])),
    )
    await db.run(end, [visitors, ended.map(({ purpose }) => purpose)])
  }
}
