import { UnavailableError } from './errors.ts'
import { log } from './log.ts'
import { within } from './within.ts'

export interface InMemory<Value> {
  /**
   * The value, read if there is none or it is too old; the last one, for `lastMs`, if it cannot be read again, or does not come in time.
   * Rejects if there is no last one.
   */
  read(load: (last?: Value) => Promise<Value>): Promise<Value>
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
  /** It could not be read, or has gaps. */
  hasFailed: boolean
}

/**
 * One value in this process's memory that pages show and can do without. A database that hangs delays the first few requests by
 * `patienceMs` and nobody after them: until the value comes, they go on with the last one, or without it if there is none. Nor does
 * anybody wait for an attempt after one that failed, if there is a last one.
 */
export function inMemory<Value>(
  name: string,
  {
    keptMs,
    retryMs = 1_000,
    patienceMs = 400,
    firstPatienceMs = 2_000,
    lastMs = 5 * 60_000,
    isWhole = () => true,
  }: {
    keptMs: number
    retryMs?: number
    patienceMs?: number
    /** For the first value of this process, which nobody has opened a connection for yet. */
    firstPatienceMs?: number
    /** How long a value that is too old stands in for one that cannot be read. */
    lastMs?: number
    /** Values with gaps are read again soon. */
    isWhole?: (value: Value) => boolean
  },
): InMemory<Value> {
  let kept: Kept<Value> | undefined
  let wasRead = false
  let last: { value: Value; readAt: number } | undefined

  /** The last value, unless it is too old to stand in. */
  const standIn = () => (last && Date.now() <= last.readAt + keptMs + lastMs ? last : undefined)

  function begin(load: (last?: Value) => Promise<Value>, isLate: boolean): Kept<Value> {
    const begun: Kept<Value> = { value: load(standIn()?.value), until: Infinity, isLate, hasFailed: false }
    begun.value.then(
      (value) => {
        wasRead = true
        // A value with gaps may stand in for them itself: it is as old as what it stands in with.
        if (kept === begun) last = { value, readAt: isWhole(value) ? Date.now() : (last?.readAt ?? 0) }
        const hasFailed = !isWhole(value)
        Object.assign(begun, { until: Date.now() + (hasFailed ? retryMs : keptMs), isLate: false, hasFailed })
      },
      (error: unknown) => {
        if (last) log.error({ what: name, reason: error instanceof Error ? error.message : String(error) }, 'Not read again')
        Object.assign(begun, { until: Date.now() + retryMs, hasFailed: true })
      },
    )
    return begun
  }

  async function newest(load: (last?: Value) => Promise<Value>): Promise<Value> {
    if (!kept || kept.until <= Date.now()) kept = begin(load, kept?.hasFailed === true && standIn() !== undefined)
    const current = kept
    if (current.isLate) throw new UnavailableError(`${name}: still being read`)
    if (current.until !== Infinity) return current.value
    const patience = wasRead ? patienceMs : firstPatienceMs
    const late = setTimeout(() => {
      if (!current.isLate) log.error({ what: name }, 'Not read in time; pages go on without it, or with the last value')
      current.isLate = true
    }, patience)
    return within(patience, current.value).finally(() => clearTimeout(late))
  }

  return {
    read: (load) =>
      newest(load).catch((error: unknown) => {
        const stands = standIn()
        if (!stands) throw error
        return stands.value
      }),
    holds: () => {
      const now = kept
      return () => kept === now && now !== undefined && !now.isLate && now.until > Date.now()
    },
    isBeingRead: () => kept?.until === Infinity,
    // The last value goes as well: something has changed, and what was switched off must not come back.
    forget: () => {
      kept = undefined
      last = undefined
    },
  }
}
