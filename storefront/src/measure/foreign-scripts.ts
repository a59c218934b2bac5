import { report } from './happens-within.ts'

/**
 * Reports scripts that do not come from our own origin: those the content policy has stopped, and any that a browser or an
 * extension loads nevertheless; each once per page, without its query.
 */
export function watchForeignScripts(): void {
  const reported = new Set<string>()
  const see = (address: string) => {
    const url = URL.canParse(address) ? new URL(address) : null
    const name = url ? url.origin + url.pathname : address
    if (url?.origin === location.origin || reported.has(name)) return
    reported.add(name)
    report('FOREIGN_SCRIPT', name.slice(0, 300))
  }
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    if (effectiveDirective.startsWith('script-src')) see(blockedURI)
  })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry instanceof PerformanceResourceTiming && entry.initiatorType === 'script') see(entry.name)
  }).observe({ type: 'resource', buffered: true })
}
