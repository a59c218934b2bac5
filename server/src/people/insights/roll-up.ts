import type { Db } from '#platform'
import { attributeOrders } from './order-channel.ts'
import { countedPages, otherPage } from './known-pages.ts'
import { rollUpChannels } from './roll-up-channels.ts'

// Roll-ups are kept for ever, so invented names of pages must not fill them.
const roll = (span: 'hour' | 'day') => ({
  name: `insights.roll-up-${span}`,
  text: `with recent as (
      select * from insights.event
      where day >= ($1::timestamptz at time zone 'UTC')::date and at >= date_trunc('${span}', $1::timestamptz, 'UTC')),
    counted as (
      select date_trunc('${span}', at, 'UTC') as start, market, mode, name,
        case when page_name = any($2) then page_name else '${otherPage}' end as page_name, device,
        count(*) as events, count(distinct visitor_id) as visitors
      from recent group by 1, market, mode, name, 5, device),
    gone as (
      delete from insights.roll_up r where span = '${span}' and start >= date_trunc('${span}', $1::timestamptz, 'UTC') and not exists (
        select from counted c where (c.start, c.market, c.mode, c.name, c.page_name, c.device) = (r.start, r.market, r.mode, r.name, r.page_name, r.device)))
    insert into insights.roll_up (span, start, market, mode, name, page_name, device, events, visitors)
    select '${span}', start, market, mode, name, page_name, device, events, visitors from counted
    on conflict (span, start, market, mode, name, page_name, device)
    do update set events = excluded.events, visitors = excluded.visitors`,
})
const rollHours = roll('hour')
const rollDays = roll('day')

/**
 * Counts the hours and days since `from` again from the events themselves, so that late events and repeated runs change
 * nothing but the truth; rows whose last event a withdrawal has deleted go. Events may be a day late: an hourly run from 25 hours back completes what the frequent runs counted.
 */
export async function rollUp(db: Db, from: Date): Promise<void> {
  await db.run(rollHours, [from, countedPages])
  await db.run(rollDays, [from, countedPages])
  await attributeOrders(db, from)
  await rollUpChannels(db, from)
}
