import { setTimeout as sleep } from 'node:timers/promises'

/** Between two batches of a stream of changes: long enough to make them few, short enough not to be noticed. */
const PACE_MS = 160
/** So long after two callers were seen at once, changes count as a stream. */
const STREAM_MS = 1_000

/** When the next batch of changes is taken. */
export interface Pace {
  /** Somebody asks for a change. */
  asked(): void
  /** Somebody has the answer. */
  answered(): void
  /** Resolves when a batch may be taken. */
  turn(): Promise<void>
}

/**
 * Every batch becomes a part that each search has to look at and that is merged again and again. A
 * stream from callers that do not wait for each other is therefore taken a few times a second; who
 * waits for each answer before the next change is never held up.
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
