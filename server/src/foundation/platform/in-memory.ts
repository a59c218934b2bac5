import { UnavailableError } from './errors.ts'
import { log } from './log.ts'
import { within } from './within.ts'

export interface InMemory<Value> {
  /** The value, read if there is none or it is too old. Rejects if it cannot be read, and if it does not come in time. */
  read(load: () => Promise<Value>): Promise<Value>
  /** Whether the present value is still the current one: for answers that are shared. */
  holds(): () => boolean
  /** Whether there is no value because it is still being read. */
  isBeingRead(): boolean
  forget(): void
}

interface Kept<Value> {
  value: Promise<Value>
  until: number
  isLate: boolean
}

/**
 * One value in this process's memory that pages show and can do without. A database that hangs delays the first few requests by
 * `patienceMs` and nobody after them: until the value comes or its read fails, they go on without it.
 */
export function inMemory<Value>(
  name: string,
  {
    keptMs,
    retryMs = 1_000,
    patienceMs = 400,
    firstPatienceMs = 2_000,
    isWhole = () => true,
  }: {
    keptMs: number
    retryMs?: number
    patienceMs?: number
    /** For the first value of this process, which nobody has opened a connection for yet. */
    firstPatienceMs?: number
    /** Values with gaps are read again soon. */
    isWhole?: (value: Value) => boolean
  },
): InMemory<Value> {
  let kept: Kept<Value> | undefined
  let wasRead = false

  function begin(load: () => Promise<Value>): Kept<Value> {
    const begun: Kept<Value> = { value: load(), until: Infinity, isLate: false }
    begun.value.then(
      (value) => {
        wasRead = true
        Object.assign(begun, { until: Date.now() + (isWhole(value) ? keptMs : retryMs), isLate: false })
      },
      () => Object.assign(begun, { until: Date.now() + retryMs }),
    )
    return begun
  }

  return {
    read: async (load) => {
      if (!kept || kept.until <= Date.now()) kept = begin(load)
      const current = kept
      if (current.isLate) throw new UnavailableError(`${name}: still being read`)
      if (current.until !== Infinity) return current.value
      const patience = wasRead ? patienceMs : firstPatienceMs
      const late = setTimeout(() => {
        if (!current.isLate) log.error({ what: name }, 'Not read in time; pages go on without it')
        current.isLate = true
      }, patience)
      return within(patience, current.value).finally(() => clearTimeout(late))
    },
    holds: () => {
      const now = kept
      return () => kept === now && now !== undefined && !now.isLate && now.until > Date.now()
    },
    isBeingRead: () => kept?.until === Infinity,
    forget: () => void (kept = undefined),
  }
}
