import type { EventEmitter } from 'node:events'
import { metrics } from './metrics.ts'

/** Kinds of requests, the most important first, and how long each may wait before it is refused. */
export const waitingBudgetMs = { checkout: 5000, cart: 3000, product: 2000, listing: 1500, suggestions: 500 } as const
export type RequestKind = keyof typeof waitingBudgetMs
const kinds: readonly RequestKind[] = ['checkout', 'cart', 'product', 'listing', 'suggestions']

/** Ends a request's turn. */
export type Leave = () => void

export interface WaitingQueues {
  /**
   * A turn, now or after waiting; null at once when the wait would exceed the kind's budget, or once it has, or once the sender is gone,
   * whose response emits `close`.
   */
  enter(kind: RequestKind, response?: Closing): Promise<Leave | null>
  /** Requests under way and waiting, and refusals so far, by kind. */
  stats(): { underWay: number; waiting: number; refused: Readonly<Record<RequestKind, number>> }
  stop(): void
}

type Closing = Pick<EventEmitter, 'once' | 'off'>

interface Waiting {
  since: number
  stop(): void
  resolve: (leave: Leave | null) => void
}

/**
 * Work at once while the event loop is busy. More would wait for the processor, not for the database, and make each turn of the
 * loop longer: new connections are accepted once per turn.
 */
const atOnceWhenBusy = 8
const busyDelayMs = 25
/** The time between two turns is averaged over at least this long: turns end in bursts. */
const measuringMs = 100

/**
 * Every so many turns the one who has waited longest is next, whatever its kind: whoever fills the more important queues slows the
 * others down, and does not stop them.
 */
const turnsByAge = 8

const samplingMs = 100
/** Samples in a row that must be late: a single pause, such as the first rendering of a page, is over when it is noticed. */
const sustainedSamples = 3

/**
 * Short queues by kind. Load is measured by how long requests wait: in these queues, and for the event loop, whose sustained delay
 * is sampled from the first request on; loading and warming up do not count. A request that would wait too long is refused
 * immediately, so that the others are answered in time. (V-12)
 */
export function waitingQueues({ atOnce = 32, now = () => performance.now() }: { atOnce?: number; now?: () => number } = {}): WaitingQueues {
  const queues = new Map<RequestKind, Waiting[]>(kinds.map((kind) => [kind, []]))
  const refused: Record<RequestKind, number> = { checkout: 0, cart: 0, product: 0, listing: 0, suggestions: 0 }
  let underWay = 0
  let admitted = 0
  /** Time between two ends of turns while all turns are taken, of the latest measurements. */
  const intervals = Array.from({ length: sustainedSamples }, () => 0)
  /** The smallest of them: a pause of the database must not refuse those who would be answered right after it. */
  let intervalMs = 0
  let measured = { since: now(), ends: 0 }
  /** The smallest of the latest delays of the event loop. */
  let loopDelayMs = 0
  let latestDelayMs = 0
  let sampling: NodeJS.Timeout | undefined
  const startSampling = () => {
    const recent = Array.from({ length: sustainedSamples }, () => 0)
    let expected = now() + samplingMs
    return setInterval(() => {
      recent.shift()
      latestDelayMs = Math.max(0, now() - expected)
      recent.push(latestDelayMs)
      loopDelayMs = Math.min(...recent)
      expected = now() + samplingMs
    }, samplingMs).unref()
  }

  const limit = () => (latestDelayMs > busyDelayMs ? Math.min(atOnce, atOnceWhenBusy) : atOnce)
  const waiting = () => kinds.reduce((sum, kind) => sum + (queues.get(kind)?.length ?? 0), 0)

  const refuse = (kind: RequestKind): null => {
    refused[kind]++
    metrics.refused.inc({ by: 'queue', name: kind })
    return null
  }

  function leaveOnce(): Leave {
    let left = false
    return () => {
      if (left) return
      left = true
      measureEnd()
      underWay--
      admitNext()
    }
  }

  function measureEnd(): void {
    const at = now()
    // A pause without requests says nothing about how fast they are answered.
    if (underWay < limit()) return void (measured = { since: at, ends: 0 })
    measured.ends++
    const elapsed = at - measured.since
    if (elapsed < measuringMs) return
    intervals.shift()
    intervals.push(elapsed / measured.ends)
    intervalMs = Math.min(...intervals)
    measured = { since: at, ends: 0 }
  }

  function admitNext(): void {
    while (underWay < limit()) {
      const [foremost, ...others] = kinds.filter((kind) => queues.get(kind)?.length)
      if (!foremost) return
      admitted++
      const oldest = (kind: RequestKind) => queues.get(kind)?.[0]?.since ?? Infinity
      const kind =
        admitted % turnsByAge === 0 ? others.reduce((one, other) => (oldest(other) < oldest(one) ? other : one), foremost) : foremost
      const first = queues.get(kind)?.shift()
      first?.stop()
      underWay++
      first?.resolve(leaveOnce())
    }
  }

  return {
    enter: async (kind, response) => {
      sampling ??= startSampling()
      const budget = waitingBudgetMs[kind]
      const important = kinds.slice(0, kinds.indexOf(kind) + 1)
      const ahead = important.reduce((sum, each) => sum + (queues.get(each)?.length ?? 0), 0)
      if (underWay < limit() && ahead === 0 && loopDelayMs <= budget) {
        underWay++
        return leaveOnce()
      }
      if (loopDelayMs + (ahead + 1) * intervalMs > budget) return refuse(kind)
      return new Promise((resolve) => {
        const queue = queues.get(kind) ?? []
        const giveUp = () => {
          queue.splice(queue.indexOf(entry), 1)
          entry.stop()
        }
        const timer = setTimeout(() => {
          giveUp()
          resolve(refuse(kind))
        }, budget)
        const gone = () => {
          giveUp()
          resolve(null)
        }
        response?.once('close', gone)
        const stop = () => {
          clearTimeout(timer)
          response?.off('close', gone)
        }
        const entry: Waiting = { since: now(), stop, resolve }
        queue.push(entry)
        if (underWay < limit()) admitNext()
      })
    },
    stats: () => ({ underWay, waiting: waiting(), refused }),
    stop: () => clearInterval(sampling),
  }
}
