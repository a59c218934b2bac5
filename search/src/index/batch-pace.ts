import { setTimeout as sleep } from 'node:timers/promises'

/** Minimum time between two batches of a stream of changes: long enough to make them few, short enough not to be noticed. */
const PACE_MS = 160
/** How long after two concurrent callers were seen changes still count as a stream. */
const STREAM_MS = 1_000

/** Decides when the next batch of changes is taken. */
export interface Pace {
  /** A caller has requested a change. */
  asked(): void
  /** A caller has received its result. */
  answered(): void
  /** Resolves when a batch may be taken. */
  turn(): Promise<void>
}

/**
 * Every batch becomes a segment that each search has to visit and that is merged again and again. A
 * stream from concurrent callers is therefore batched a few times a second; a caller that
 * waits for each result before the next change is never delayed.
 */
export function newPace(now: () => number = () => performance.now(), wait: (ms: number) => Promise<unknown> = (ms) => sleep(ms)): Pace {
  let waiting = 0
  let streamUntil = -Infinity
  let last = -Infinity
  return {
    asked() {
      if (waiting > 0) streamUntil = now() + STREAM_MS
      waiting++
    },
    answered() {
      waiting--
    },
    async turn() {
      const left = last + PACE_MS - now()
      if (left > 0 && now() < streamUntil) await wait(left)
      last = now()
    },
  }
}
