import type { Db } from '#platform'

const roll = (span: 'hour' | 'day') => ({
  name: `insights.roll-up-${span}`,
  text: `insert into insights.roll_up (span, start, market, mode, name, page_name, device, events, visitors)
    select '${span}', date_trunc('${span}', at, 'UTC'), market, mode, name, page_name, device, count(*), count(distinct visitor_id)
    from insights.event
    where day >= ($1::timestamptz at time zone 'UTC')::date and at >= date_trunc('${span}', $1::timestamptz, 'UTC')
    group by 2, market, mode, name, page_name, device
    on conflict (span, start, market, mode, name, page_name, device)
    do update set events = excluded.events, visitors = excluded.visitors`,
})
const rollHours = roll('hour')
const rollDays = roll('day')

/**
 * Counts the hours and days since `from` again from the events themselves, so that late events and repeated runs change
 * nothing but the truth. Events may be a day late: an hourly run from 25 hours back completes what the frequent runs counted.
 */
export async function rollUp(db: Db, from: Date): Promise<void> {
  await db.run(rollHours, [from])
  await db.run(rollDays, [from])
}
