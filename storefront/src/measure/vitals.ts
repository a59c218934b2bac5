import { onCLS, onFCP, onINP, onLCP, onTTFB, type Metric } from 'web-vitals'
import { pageFacts } from '../session/page-facts.ts'
import { beacon, mayOutlive } from './beacon.ts'
import { watchInteractions } from './interactions.ts'

/** Measures this page view and reports it once, when the page is hidden. (R-029, R-558…R-561) */
export function watchVitals(isAllowed: () => boolean): void {
  const measured = new Map<string, Metric>()
  for (const measure of [onFCP, onLCP, onCLS, onINP, onTTFB]) measure((metric) => void measured.set(metric.name, metric))
  const interactions = watchInteractions()
  let isSent = false
  // After the library's own listeners, which finish its metrics at the same moment.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'hidden' || isSent || measured.size === 0 || !mayOutlive() || !isAllowed()) return
    isSent = true
    beacon('/api/v1/web-vitals/beacon', {
      browserContext: { url: location.origin + location.pathname, userAgent: navigator.userAgent.slice(0, 500) },
      service: 'storefront',
      resource: document.documentElement.dataset['page'] ?? '',
      version: pageFacts().version,
      metrics: [
        ...[...measured.values()].map(wireForm),
        ...interactions().map(({ duration: value, startTime, type, target }) => ({
          name: 'INTERACTION',
          value,
          startTime,
          tags: { type, target },
        })),
      ],
      startTime: 0,
      duration: performance.now(),
    })
  })
}

function wireForm({ name, value, rating, navigationType, entries }: Metric): object {
  return { name, value, startTime: entries.at(-1)?.startTime ?? 0, tags: { rating, navigationType } }
}
