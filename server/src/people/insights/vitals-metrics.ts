import { Histogram } from 'prom-client'
import type { StoredVital } from './store.ts'

const labelNames = ['metric', 'market', 'page', 'device'] as const
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

const maxPages = 150
const pages = new Set<string>()

/** Pages are named by the client: beyond a number no shop has, they count as "other", so that no client adds series without end. */
function pageLabel(name: string): string {
  if (pages.size < maxPages) pages.add(name)
  return pages.has(name) ? name : 'other'
}

export function observeVitals(vitals: readonly StoredVital[]): void {
  for (const { metric, market, pageName, device, value } of vitals) {
    if (metric === 'INTERACTION') continue
    const labels = { metric, market, page: pageLabel(pageName), device }
    ;(metric === 'CLS' ? shifts : durations).observe(labels, value)
  }
}
