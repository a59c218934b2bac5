import { UnavailableError, isTimeout, isUnavailable } from './errors.ts'

/** Gives the place back, with the error if the work failed. */
export type Leave = (error?: unknown) => void

export interface Bulkhead {
  /**
   * A place for work of this name, now or after a short wait.
   * @throws UnavailableError
   */
  enter(name: string): Promise<Leave>
}

interface Waiting {
  name: string
  admit(): void
  refuse(): void
}

/**
 * A few places for work that the shop can do without. Work beyond them waits shortly and is then refused. Once work of a name has hung,
 * all of that name is refused for `pauseMs`; after that one at a time tries whether it still hangs.
 */
export function bulkhead({
  places,
  waitMs = 300,
  pauseMs = 1_000,
  maxWaiting = 200,
}: {
  places: number
  waitMs?: number
  pauseMs?: number
  maxWaiting?: number
}): Bulkhead {
  let free = places
  const waiting = new Set<Waiting>()
  const hung = new Map<string, { until: number; isTried: boolean }>()

  const wait = (name: string): Promise<void> => {
    if (waiting.size >= maxWaiting) throw busy(name)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const end = (settle: () => void) => () => {
      clearTimeout(timer)
      waiting.delete(entry)
      settle()
    }
    const entry: Waiting = { name, admit: end(resolve), refuse: end(() => reject(busy(name))) }
    const timer = setTimeout(entry.refuse, waitMs)
    waiting.add(entry)
    return promise
  }

  const leaveOnce = (name: string): Leave => {
    let left = false
    return (error) => {
      if (left) return
      left = true
      if (isUnavailable(error) || isTimeout(error)) {
        hung.set(name, { until: Date.now() + pauseMs, isTried: false })
        for (const each of waiting) if (each.name === name) each.refuse()
      } else hung.delete(name)
      const [next] = waiting
      if (next) next.admit()
      else free++
    }
  }

  return {
    enter: async (name) => {
      const pause = hung.get(name)
      if (pause && (pause.isTried || Date.now() < pause.until)) throw busy(name)
      if (pause) pause.isTried = true
      if (free > 0) free--
      else
        try {
          await wait(name)
        } catch (error) {
          if (pause) pause.isTried = false
          throw error
        }
      return leaveOnce(name)
    },
  }
}

const busy = (name: string) => new UnavailableError(`Too much of "${name}" is under way, or it hangs`)
