/** The slowest interactions of a page view, for a sample of views. */

export const maxInteractions = 10
const sampledShare = 0.1
/** Shorter ones are fast. */
const leastMs = 40

export interface Interaction {
  id: number
  duration: number
  startTime: number
  type: string
  target: string
}

/** Adds an event to the slowest ones: an interaction counts once, by its slowest event. */
export function keepSlowest(kept: readonly Interaction[], added: Interaction): Interaction[] {
  const same = kept.find(({ id }) => id === added.id)
  if (same && same.duration >= added.duration) return [...kept]
  return [...kept.filter((each) => each !== same), added].sort((a, b) => b.duration - a.duration).slice(0, maxInteractions)
}

/** Returns the slowest so far, whenever it is called. */
export function watchInteractions(): () => readonly Interaction[] {
  let kept: Interaction[] = []
  if (Math.random() >= sampledShare || !PerformanceObserver.supportedEntryTypes.includes('event')) return () => kept
  const watching = new PerformanceObserver((list) => {
    for (const { interactionId: id, duration, startTime, name, target } of list.getEntries() as PerformanceEventTiming[])
      if (id) kept = keepSlowest(kept, { id, duration, startTime, type: name, target: nameOf(target) })
  })
  watching.observe({ type: 'event', durationThreshold: leastMs, buffered: true })
  return () => kept
}

/** Names the element without anything it contains. */
function nameOf(target: Node | null): string {
  const element = target instanceof Element ? target : target?.parentElement
  return element ? element.localName + (element.id ? `#${element.id}` : element.classList[0] ? `.${element.classList[0]}` : '') : ''
}
