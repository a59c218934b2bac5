import { Histogram } from 'prom-client'
import { knownPages, otherPage } from './known-pages.ts'
import type { StoredVital } from './store.ts'

// Markets are told apart in the table alone: with them, all series of all pages would be megabytes at every scrape.
const labelNames = ['metric', 'page', 'device'] as const
/** With every threshold of the five metrics among the buckets. */
const durations = new Histogram({
  name: 'purlin_web_vital_ms',
  help: 'FCP, LCP, INP and TTFB as visitors’ browsers measured them',
  labelNames,
  buckets: [50, 100, 200, 350, 500, 800, 1200, 1800, 2500, 3000, 4000, 6000, 10_000],
})
const shifts = new Histogram({
  name: 'purlin_web_vital_cls',
  help: 'Cumulative layout shift as visitors’ browsers measured it',
  labelNames,
  buckets: [0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1],
})

const known: ReadonlySet<string> = new Set(knownPages)

export function observeVitals(vitals: readonly StoredVital[]): void {
  for (const { metric, pageName, device, value } of vitals) {
    if (metric === 'INTERACTION') continue
    const labels = { metric, page: known.has(pageName) ? pageName : otherPage, device }
    ;(metric === 'CLS' ? shifts : durations).observe(labels, value)
  }
}
