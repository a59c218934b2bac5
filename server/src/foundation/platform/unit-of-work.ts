import type { PoolClient } from 'pg'
import type { EventPayloads, EventType } from '#events'
import type { Leave } from './bulkhead.ts'
import { type Emitted, emitted, eventColumns, insertEvents } from './outbox.ts'
import { type Pool, dbOn, optionalLockMs, refuseWhenCrowded, tracedStatement } from './pool.ts'
import type { Db, Sent, Statement } from './scope.ts'
import { wake } from './wake.ts'

/** One command: its statements and events commit together or not at all. */
export interface UnitOfWork {
  db: Db
  emit<Type extends EventType>(type: Type, payload: EventPayloads[Type]): void
  /** Written just before the first statement, in the same packet; for instance the row of a new session. */
  before(statement: Statement, values: readonly unknown[], written: () => void): void
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Statements sent so far, BEGIN and COMMIT included. */
  statements(): number
}

const begin = 'begin read write'
/** One message, so that it costs no further round trip. */
const beginOptional = `${begin}; set local lock_timeout = ${optionalLockMs}`

/**
 * A transaction that begins with its first statement: a command that sends none holds no connection. BEGIN leaves in the
 * same packet as the statements after it. If BEGIN alone fails, nothing else is written: the connection is read-only
 * outside a transaction.
 */
export function unitOfWork(pool: Pool, onStatement: () => void = () => undefined): UnitOfWork {
  refuseWhenCrowded(pool)
  const events: Emitted[] = []
  const firsts: { sent: Sent; written: () => void }[] = []
  const underWay: Promise<unknown>[] = []
  let count = 0
  let opening: Promise<PoolClient> | undefined
  let finished = false
  let hasEvents = false
  let fault: { error: unknown } | undefined
  let leave: Leave | undefined

  const counted = (statement?: Statement) => {
    count++
    if (statement?.emits) hasEvents = true
    onStatement()
  }
  /** The first failure is the reason; the rest of the transaction only reports that it was aborted. */
  const noting = async <Value>(answer: Promise<Value>): Promise<Value> => {
    try {
      return await answer
    } catch (error) {
      fault ??= { error }
      throw fault.error
    }
  }
  /** Results that only the end of the command waits for. */
  const later = (answer: Promise<unknown>) => {
    answer.catch(() => undefined)
    underWay.push(answer)
  }
  /** A command of an optional module waits for its place without holding a connection. */
  const connect = async (first: Sent) => {
    const ownLeave = await pool.enter(first)
    try {
      return { client: await pool.commands.connect(), begin: ownLeave ? beginOptional : begin, ownLeave }
    } catch (error) {
      ownLeave?.(error)
      throw error
    }
  }
  const open = async (first: Sent) => {
    const { client, begin, ownLeave } = await connect(first)
    leave = ownLeave
    counted()
    later(noting(client.query(begin)))
    sendFirsts((sent) => noting(client.query(sent)))
    return client
  }
  const sendFirsts = (send: (sent: Sent) => Promise<unknown>) => {
    for (const { sent, written } of firsts.splice(0)) {
      counted()
      later(send(sent).then(written))
    }
  }
  /** A prerequisite write and a statement that would otherwise be its own transaction: one transaction, in one packet. */
  const withFirsts = async (statement: Sent) => {
    const { client, begin, ownLeave } = await connect(statement)
    const answers: Promise<unknown>[] = [client.query(begin)]
    counted()
    sendFirsts((sent) => {
      const answer = client.query(sent)
      answers.push(answer)
      return answer
    })
    const result = client.query(statement)
    counted()
    const commit = client.query('commit')
    later(commit)
    try {
      await Promise.all([...answers, result])
      if ((await commit).command !== 'COMMIT') throw new Error('The transaction was rolled back by the database')
      client.release()
      ownLeave?.()
      return await result
    } catch (error) {
      client.release(true)
      ownLeave?.(error)
      throw error
    }
  }
  const send = async (statement: Sent) => {
    if (finished) throw new Error('This command has already ended: its statement came after the result')
    const client = await (opening ??= open(statement))
    return noting(client.query(statement))
  }
  const { reads, alone, reports } = pool.lanes
  const db = dbOn(
    { query: send },
    {
      reads,
      reports,
      alone: (statement) => (opening || firsts.length === 0 ? alone(statement) : withFirsts(statement)),
    },
    counted,
  )
  const end = async (): Promise<PoolClient | undefined> => {
    finished = true
    return opening?.catch(() => undefined)
  }
  return {
    db,
    emit: (type, payload) => {
      hasEvents = true
      events.push(emitted(type, payload))
    },
    before: ({ name, text }, values, written) => void firsts.push({ sent: { name, text, values: [...values] }, written }),
    statements: () => count,
    commit: async () => {
      if (!opening) {
        finished = true
        if (events.length) later(db.alone.run(insertEvents, eventColumns(events)))
        await Promise.all(underWay)
        if (hasEvents) wake({ topic: 'work' })
        return
      }
      const client = await end()
      if (!client) throw new Error('The command has no connection')
      try {
        if (events.length) {
          counted()
          const statement = { ...insertEvents, values: eventColumns(events) }
          later(noting(tracedStatement(insertEvents.name, () => client.query(statement))))
        }
        counted()
        const commit = noting(tracedStatement('commit', () => client.query('commit')))
        await Promise.all([...underWay, commit])
        const { command } = await commit
        if (fault) throw fault.error
        // A failed transaction answers COMMIT with a rollback, without an error.
        if (command !== 'COMMIT') throw new Error('The transaction was rolled back by the database')
        client.release()
        leave?.()
        if (hasEvents) wake({ topic: 'work' })
      } catch (error) {
        client.release(true)
        leave?.(error)
        throw error
      }
    },
    rollback: async () => {
      const wasFinished = finished
      const client = await end()
      if (!client || wasFinished) return
      counted()
      await client.query('rollback').then(
        () => client.release(),
        () => client.release(true),
      )
      leave?.(fault?.error)
    },
  }
}
