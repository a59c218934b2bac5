import { rateVital } from '@purlin/contract/web-vitals.ts'
import { countChoices } from '#consent'
import { escapeHtml } from '#mail'
import { countSubscriptions } from '#newsletter'
import type { Db } from '#platform'
import { attributionSections } from './attribution-sections.ts'
import { readDays, readLive, readSlowest, readVisits, readVitals } from './read-insights.ts'
import type { Section } from './section.ts'

const share = (part: number, all: number): string => (all === 0 ? '–' : `${Math.round((part / all) * 100)} %`)
const time = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ')

const added: ((db: Db) => Promise<Section[]>)[] = []

/** Sections of later modules, below our own. */
export function addInsights(load: (db: Db) => Promise<Section[]>): void {
  added.push(load)
}

/** Everything measured, for staff. Each section says what it lacks while it is empty. */
export async function insightSections(db: Db): Promise<Section[]> {
  const [choices, subscriptions, live, days, visits, vitals, slowest, attribution, ...others] = await Promise.all([
    countChoices(db, 30),
    countSubscriptions(db),
    readLive(db),
    readDays(db),
    readVisits(db),
    readVitals(db),
    readSlowest(db),
    attributionSections(db),
    ...added.map((load) => load(db)),
  ])
  return [
    {
      title: 'Consent, 30 days',
      columns: ['Market', 'Choices', 'Refused all', 'Statistics', 'Advertising', 'Preferences'],
      rows: choices.map(({ market, choices: all, refused, statistics, personalisedAdvertising, userPreferences }) => [
        market,
        all,
        ...[refused, statistics, personalisedAdvertising, userPreferences].map((part) => share(part, all)),
      ]),
      empty: 'No visitor has chosen yet.',
    },
    {
      title: 'Newsletter',
      columns: ['Market', 'Waiting for confirmation', 'Confirmed', 'Ended'],
      rows: subscriptions.map(({ market, asked, confirmed, ended }) => [market, asked, confirmed, ended]),
      empty: 'Nobody has subscribed yet.',
    },
    {
      title: 'Events now',
      columns: ['At (UTC)', 'Event', 'Market', 'Storefront', 'Page', 'Device'],
      rows: live.map(({ at, name, market, mode, page, device }) => [time(at), name, market, mode, page, device]),
      empty: 'No event since yesterday.',
    },
    {
      title: 'Events by day',
      columns: ['Day', 'Market', 'Event', 'Events', 'Visitors by page and device'],
      rows: days.map(({ day, market, name, events, visitors }) => [day, market, name, events, visitors]),
      empty: 'Nothing has been counted yet; the worker counts every five minutes.',
    },
    {
      title: 'Visits, 7 days',
      columns: ['Day', 'Market', 'Storefront', 'Visits', 'Page views', 'Views per visit'],
      rows: visits.map(({ day, market, mode, visits: all, views }) => [day, market, mode, all, views, (views / all).toFixed(1)]),
      empty: 'No visitor has agreed to statistics yet.',
    },
    ...attribution,
    {
      title: 'Web vitals, 75th percentile of 28 days',
      columns: ['Metric', 'Value', 'Rating', 'Page', 'Market', 'Device', 'Views'],
      rows: vitals.map(({ metric, p75, page, market, device, count }) => [
        metric,
        metric === 'CLS' ? p75.toFixed(3) : `${Math.round(p75)} ms`,
        rateVital(metric, p75),
        page,
        market,
        device,
        count,
      ]),
      empty: 'No visitor has agreed to statistics yet.',
    },
    {
      title: 'Slowest interactions, 75th percentile of 7 days',
      columns: ['Interaction', 'Page', 'Duration', 'Networks'],
      rows: slowest.map(({ detail, page, p75, lines }) => [detail, page, `${Math.round(p75)} ms`, lines]),
      empty: 'None has been sampled in several networks yet.',
    },
    ...others.flat(),
  ]
}

export function insightsHtml(sections: readonly Section[]): string {
  const isNumber = (value: string | number | undefined) => /^(?:[\d.]+(?: ms| %)?|–)$/.test(String(value))
  const classOf = (value: string | number | undefined) => (isNumber(value) ? ' class="number"' : '')
  const cell = (value: string | number) => `<td${classOf(value)}>${escapeHtml(String(value))}</td>`
  const parts = sections.map(({ title, columns, rows, empty }) => {
    const head = columns.map((column, index) => `<th scope="col"${classOf(rows[0]?.[index])}>${escapeHtml(column)}</th>`).join('')
    const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('')
    const table = `<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(title)}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
    return `<section><h2>${escapeHtml(title)}</h2>${rows.length > 0 ? table : `<p>${escapeHtml(empty)}</p>`}</section>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Insights</title><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><link rel="stylesheet" href="/dev/insights/style.css"></head><body><main><h1>Insights</h1>${parts.join('')}</main></body></html>`
}

export const insightsCss = `:root { color-scheme: light dark } body { margin: 0; background: light-dark(#f6f4ef, #13151a); color: light-dark(#1a1d24, #f1f0ec); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 70rem; margin: 0 auto; padding: 1.5rem } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem } .scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; background: light-dark(#fff, #1c1f26) } th, td { padding: .4rem .75rem; text-align: start; border-bottom: 1px solid light-dark(#e2ded4, #333844); white-space: nowrap }
th { font-size: .8125rem; color: light-dark(#4a505c, #bfc2c9) } .number { text-align: end; font-variant-numeric: tabular-nums }
@media (max-width: 40rem) { main { padding: 1rem .75rem } th, td { padding: .35rem .4rem; font-size: .8125rem } }`
