import { log, type Db } from '#platform'
import { moveBurst, writeBurst } from './burst-store.ts'
import { writeEvents, type StoredEvent } from './store.ts'

/** Events of one statement; those of a request stay together. */
const maxEvents = 500
/** As many requests waiting for one statement are a burst. */
const burstRequests = 4
/** A burst is over when no other has come for so long. */
const quietMs = 250

interface Waiting {
  events: readonly StoredEvent[]
  resolve(): void
  reject(error: unknown): void
}

export interface EventWriter {
  /** Resolves when the events are committed. */
  write(events: readonly StoredEvent[]): Promise<void>
}

export interface EventStatements {
  write: typeof writeEvents
  writeBurst: typeof writeBurst
  moveBurst: typeof moveBurst
}

/**
 * Stores the events of concurrent requests in common statements, one of a process at a time, as Postgres itself commits transactions in groups:
 * under load a statement carries the events of many requests, and a request alone waits for nobody. The events of a burst are committed as
 * they are, in one row, and moved to where they are read once the burst is over; what a process leaves behind, the worker moves.
 */
export function eventWriter(db: Db, statements: EventStatements = { write: writeEvents, writeBurst, moveBurst }): EventWriter {
  const waiting: Waiting[] = []
  let isRunning = false
  let isMoving = false
  let moving: NodeJS.Timeout | undefined

  const run = async (): Promise<void> => {
    isRunning = true
    let isBurst = false
    try {
      while (waiting.length > 0) {
        const group = takeGroup(waiting)
        isBurst ||= group.length >= burstRequests
        await store(group)
      }
    } finally {
      isRunning = false
    }
    // A burst has moments in which no request waits.
    if (isBurst) moveLater()
  }

  const moveLater = (): void => {
    clearTimeout(moving)
    moving = setTimeout(() => void move(), quietMs).unref()
  }

  const store = async (group: readonly Waiting[]): Promise<void> => {
    const events = group.flatMap((one) => one.events)
    try {
      await (group.length >= burstRequests ? statements.writeBurst(db, events) : statements.write(db, events))
      for (const { resolve } of group) resolve()
    } catch (error) {
      const [first] = group
      if (group.length === 1) first?.reject(error)
      // One request whose events cannot be stored must not cost the others theirs.
      else for (const one of group) await store([one])
    }
  }

  const move = async (): Promise<void> => {
    if (isMoving) return
    isMoving = true
    try {
      while (!isRunning && (await statements.moveBurst(db))) continue
      if (isRunning) moveLater()
    } catch (error) {
      log.warn({ err: error }, 'Events of a burst were not moved; the worker will')
    } finally {
      isMoving = false
    }
  }

  return {
    write: (events) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ events, resolve, reject })
        if (!isRunning) void run()
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
