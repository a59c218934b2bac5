import type { Db } from '#platform'
import { writeEvents, type StoredEvent } from './store.ts'

/** Statements of one process at a time: while they run, what arrives waits for the next one. */
const maxStatements = 2
/** Events of one statement; those of a request stay together. */
const maxEvents = 500

interface Waiting {
  events: readonly StoredEvent[]
  resolve(): void
  reject(error: unknown): void
}

export interface EventWriter {
  /** Resolves when the events are committed. */
  write(events: readonly StoredEvent[]): Promise<void>
}

/**
 * Stores the events of concurrent requests in common statements, as Postgres itself commits transactions in groups: under load
 * a statement carries the events of many requests, and a request alone waits for nobody.
 */
export function eventWriter(db: Db, write: typeof writeEvents = writeEvents): EventWriter {
  const waiting: Waiting[] = []
  let running = 0

  const run = async (): Promise<void> => {
    running++
    try {
      while (waiting.length > 0) await store(takeGroup(waiting))
    } finally {
      running--
    }
  }

  const store = async (group: readonly Waiting[]): Promise<void> => {
    try {
      await write(
        db,
        group.flatMap(({ events }) => events),
      )
      for (const { resolve } of group) resolve()
    } catch (error) {
      const [first] = group
      if (group.length === 1) first?.reject(error)
      // One request whose events cannot be stored must not cost the others theirs.
      else for (const one of group) await store([one])
    }
  }

  return {
    write: (events) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ events, resolve, reject })
        if (running < maxStatements) void run()
      }),
  }
}

function takeGroup(waiting: Waiting[]): Waiting[] {
  let count = 0
  let events = 0
  for (const one of waiting) {
    if (count > 0 && events + one.events.length > maxEvents) break
    events += one.events.length
    count++
  }
  return waiting.splice(0, count)
}
