import pg from 'pg'
import { UnavailableError } from './errors.ts'
import { log } from './log.ts'
import type { Sent } from './scope.ts'

/** A few connections shared by the reads of all requests. */
export interface SharedLines {
  query(statement: Sent): Promise<pg.QueryResult>
  close(): Promise<void>
}

/** Maximum number of reads in flight per connection; any more are refused with a Retry-After (F5). */
const maxQueueLength = 250
/** Each packet costs a system call on both sides and wakes a process; more in one would keep statements from running concurrently. */
const maxInPacket = 4

interface Line {
  client: pg.Client
  ready: Promise<unknown>
  isReady: boolean
  underWay: number
}

/**
 * Reads need no connection of their own: they are short, lock nothing and take part in no transaction. Reads sent within
 * one turn of the event loop leave in packets of up to four and return in as few. Not for long reports, which would hold up the rest.
 */
export function sharedLines(config: pg.ClientConfig, count: number): SharedLines {
  const lines: (Line | undefined)[] = Array.from({ length: count }, () => undefined)
  let isClosed = false
  /** The connection that the reads of this turn share, and their number. */
  const packet = { place: 0, reads: 0 }

  function choosePlace(): number {
    if (packet.reads > 0 && packet.reads < maxInPacket) {
      packet.reads++
      return packet.place
    }
    // After the turn the socket sends what it has (`BatchingSocket`).
    if (packet.reads === 0) setImmediate(() => void (packet.reads = 0))
    // The least busy connection.
    let place = 0
    for (let each = 1; each < count; each++) if ((lines[each]?.underWay ?? 0) < (lines[place]?.underWay ?? 0)) place = each
    Object.assign(packet, { place, reads: 1 })
    return place
  }

  function open(place: number): Line {
    const client = new pg.Client(config)
    const lost = () => {
      if (lines[place] === line) lines[place] = undefined
    }
    const ready = client.connect().then(
      () => (line.isReady = true),
      (error: unknown) => {
        lost()
        throw error
      },
    )
    const line: Line = { client, ready, isReady: false, underWay: 0 }
    ready.catch(() => undefined)
    client.on('error', (error) => {
      log.warn({ reason: error.message }, 'shared database connection lost')
      lost()
    })
    client.on('end', lost)
    lines[place] = line
    return line
  }

  return {
    async query(statement) {
      if (isClosed) throw new Error('The database connections are closed')
      const place = choosePlace()
      const line = lines[place] ?? open(place)
      if (line.underWay >= maxQueueLength) throw new UnavailableError('Too many requests wait for the database')
      line.underWay++
      try {
        if (!line.isReady) await line.ready
        return await line.client.query(statement)
      } finally {
        line.underWay--
      }
    },
    async close() {
      isClosed = true
      await Promise.all(lines.map(async (line) => line?.client.end().catch(() => undefined)))
    },
  }
}
