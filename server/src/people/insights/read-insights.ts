import { vitalThresholds, type Vital } from '@purlin/contract/web-vitals.ts'
import { marketCodes } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import { interaction } from './beacons.ts'
import { countedPages, knownPages, otherPage } from './known-pages.ts'

/** Figures of the insights page: reads for staff, on the connection for reports. */

export interface LiveEvent {
  at: Date
  name: string
  market: string
  mode: string
  page: string
  device: string
}

const live = {
  name: 'insights.live',
  text: `select at, name, market, mode, case when page_name = any($1) then page_name else '${otherPage}' end as page, device from insights.event
    where day >= ((now() at time zone 'UTC')::date - 1) order by received_at desc limit 20`,
}

export interface RolledDay {
  day: string
  market: string
  name: string
  events: number
  visitors: number
}

const days = {
  name: 'insights.days',
  text: `select (start at time zone 'UTC')::date::text as day, market, name, sum(events)::int as events, sum(visitors)::int as visitors
    from insights.roll_up where span = 'day' and start > now() - interval '7 days' group by 1, market, name order by 1 desc, market, name limit 100`,
}

export interface VisitDay {
  day: string
  market: string
  mode: string
  visits: number
  views: number
}

const visits = {
  name: 'insights.visits',
  text: `select day::text, market, mode, count(distinct visit_id)::int as visits, count(*)::int as views
    from insights.event where day > (now() at time zone 'UTC')::date - 7 and name = 'page_view' and visit_id is not null
    group by day, market, mode order by day desc, market, mode limit 100`,
}

export interface VitalRow {
  metric: Vital
  market: string
  page: string
  device: string
  p75: number
  count: number
}

// All groups: their number is bounded, and with a limit those that somebody fills would take the place of the others.
const vitals = {
  name: 'insights.vitals',
  text: `select metric, market, case when page_name = any($3) then page_name else '${otherPage}' end as page, device, count(*)::int as count,
      percentile_cont(0.75) within group (order by value)::real as p75
    from insights.web_vital where day > (now() at time zone 'UTC')::date - 28 and metric = any($1) and market = any($2)
    group by 1, 2, 3, 4 order by count desc, metric, market, page`,
}

export interface SlowInteraction {
  detail: string
  page: string
  lines: number
  p75: number
}

/** Lines that have to report an interaction. With so many, a single one cannot move the percentile beyond what the others report. */
const minLines = 5

// The id of an interaction is that of its line (`interactionIdOf`), which has one vote, however many days it reports.
const slow = {
  name: 'insights.slow',
  text: `with vote as (
      select id, detail, page_name as page, max(value) as value from insights.web_vital
      where day > (now() at time zone 'UTC')::date - 7 and metric = '${interaction}' and page_name = any($1) group by 1, 2, 3)
    select detail, page, count(*)::int as lines, percentile_cont(0.75) within group (order by value)::real as p75
    from vote group by detail, page having count(*) >= $2 order by p75 desc, detail, page limit 10`,
}

export function readLive(db: Db): Promise<LiveEvent[]> {
  return db.rows<LiveEvent>(live, [countedPages])
}

export function readDays(db: Db): Promise<RolledDay[]> {
  return db.rows<RolledDay>(days)
}

/** Visits of the last week and their page views, by storefront. */
export function readVisits(db: Db): Promise<VisitDay[]> {
  return db.rows<VisitDay>(visits)
}

/** The 75th percentile of four weeks by metric, page, market and device: three of four views were at least this good. */
export function readVitals(db: Db): Promise<VitalRow[]> {
  return db.rows<VitalRow>(vitals, [Object.keys(vitalThresholds), marketCodes, knownPages])
}

/** The 75th percentile of a week by page and interaction, over the lines that have reported it. */
export function readSlowest(db: Db): Promise<SlowInteraction[]> {
  return db.rows<SlowInteraction>(slow, [knownPages, minLines])
}
