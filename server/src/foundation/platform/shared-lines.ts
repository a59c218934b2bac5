import pg from 'pg'
import { UnavailableError } from './errors.ts'
import { log } from './log.ts'

interface Asked {
  name?: string
  text: string
  values?: unknown[]
}

/** A few connections on which the questions of all requests travel. */
export interface SharedLines {
  query(statement: Asked): Promise<pg.QueryResult>
  close(): Promise<void>
}

/** Questions under way on one line; the next is told to come back later (F5). */
const longestQueue = 250
const longestConnectMs = 1500

interface SharedLine {
  client: pg.Client
  ready: Promise<unknown>
  isReady: boolean
  underWay: number
  isCorked: boolean
}

/**
 * Questions need no connection of their own: they are short, lock nothing and take part in no transaction. Those asked
 * within one turn of the event loop leave in one packet and come back in few; a connection per question means a wake-up
 * of the database and one of ours for each. Not for what may take long: it would hold up those behind it.
 */
export function sharedLines(options: pg.ClientConfig, count: number): SharedLines {
  const lines: (SharedLine | undefined)[] = Array.from({ length: count }, () => undefined)
  let isClosed = false

  function open(place: number): SharedLine {
    const client = new pg.Client({ ...options, pipeline: true, connectionTimeoutMillis: longestConnectMs })
    const line: SharedLine = { client, ready: Promise.resolve(), isReady: false, underWay: 0, isCorked: false }
    const lost = () => {
      if (lines[place] === line) lines[place] = undefined
    }
    client.on('error', (error) => {
      log.warn({ reason: error.message }, 'shared database connection lost')
      lost()
    })
    client.on('end', lost)
    line.ready = client.connect().then(
      () => (line.isReady = true),
      (error: unknown) => {
        lost()
        throw error
      },
    )
    line.ready.catch(() => undefined)
    lines[place] = line
    return line
  }

  function send(line: SharedLine, statement: Asked): Promise<pg.QueryResult> {
    const { stream } = (line.client as { connection?: { stream?: { cork?(): void; uncork?(): void } } }).connection ?? {}
    if (!line.isCorked && stream?.cork && stream.uncork) {
      line.isCorked = true
      stream.cork()
      setImmediate(() => {
        line.isCorked = false
        stream.uncork?.()
      })
    }
    return line.client.query(statement)
  }

  return {
    async query(statement) {
      if (isClosed) throw new Error('The database connections are closed')
      // The line with the least to do.
      let place = 0
      for (let each = 1; each < count; each++) if ((lines[each]?.underWay ?? 0) < (lines[place]?.underWay ?? 0)) place = each
      const line = lines[place] ?? open(place)
      if (line.underWay >= longestQueue) throw new UnavailableError('Too many requests wait for the database')
      line.underWay++
      try {
        if (!line.isReady) await line.ready
        return await send(line, statement)
      } finally {
        line.underWay--
      }
    },
    async close() {
      isClosed = true
      await Promise.all(lines.map((line) => line?.client.end().catch(() => undefined)))
    },
  }
}
