import type { Page } from 'playwright-core'

/** Timings of the page that is open, in milliseconds. */
export interface Timings {
  lcp: number
  /** Of long tasks after the first paint, the time beyond 50 ms each. */
  blocking: number
  /** Sum of all shifts that followed no input. */
  shift: number
  /** The slowest interaction, from input to the next paint. */
  interaction: number
  /** From the last tap to the message about it. */
  message: number
  /** From the tap on the page before to the first paint of this one. */
  sinceTap: number
}

declare global {
  interface Window {
    timings: Timings & { painted: number; tasks: { start: number; ms: number }[] }
  }
}

/** Watches every page that is opened from now on. */
export async function watchTimings(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (window !== window.top) return
    const timings = { lcp: 0, blocking: 0, shift: 0, interaction: 0, message: 0, sinceTap: 0, painted: 0 }
    window.timings = { ...timings, tasks: [] }
    const seen = window.timings
    const watch = (type: string, each: (entry: PerformanceEntry) => void, options: object = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true, ...options })
    watch('largest-contentful-paint', ({ startTime }) => (seen.lcp = startTime))
    watch('longtask', ({ startTime, duration }) => seen.tasks.push({ start: startTime, ms: duration }))
    watch('layout-shift', (entry) => {
      const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
      if (!hadRecentInput) seen.shift += value
    })
    watch('event', ({ duration }) => (seen.interaction = Math.max(seen.interaction, duration)), { durationThreshold: 16 })
    watch('paint', ({ name, startTime }) => {
      if (name !== 'first-contentful-paint') return
      seen.painted = startTime
      const tapped = Number(sessionStorage.getItem('tapped'))
      if (tapped > 0) seen.sinceTap = performance.timeOrigin + startTime - tapped
    })
    let tapped = 0
    addEventListener(
      'pointerup',
      ({ timeStamp }) => {
        tapped = timeStamp
        sessionStorage.setItem('tapped', String(performance.timeOrigin + timeStamp))
      },
      { capture: true },
    )
    new MutationObserver(() => {
      if (tapped === 0 || seen.message > 0 || !document.querySelector('[data-flash]')) return
      requestAnimationFrame(() => setTimeout(() => (seen.message ||= performance.now() - tapped)))
    }).observe(document, { subtree: true, childList: true })
  })
}

export function readTimings(page: Page): Promise<Timings> {
  return page.evaluate(() => {
    const { tasks, painted, ...timings } = window.timings
    const blocking = tasks.filter(({ start }) => start >= painted).reduce((sum, { ms }) => sum + Math.max(0, ms - 50), 0)
    return { ...timings, blocking }
  })
}
