import type { PoolClient } from 'pg'
import type { EventPayloads, EventType } from '#events'
import { type Emitted, type First, emitted, eventColumns, insertEvents, joined } from './outbox.ts'
import { type Line, lineOn } from './line.ts'
import { type Pool, dbOn, isQuestion, refuseWhenCrowded } from './pool.ts'
import type { Db, Statement } from './scope.ts'

/** One command: its statements and events commit together or not at all. */
export interface UnitOfWork {
  db: Db
  emit<Type extends EventType>(type: Type, payload: EventPayloads[Type]): void
  /** Written just before the first write or with it, in the same transaction; e.g. the row of a new session. */
  before(statement: Statement, values: readonly unknown[], written: () => void): void
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Statements sent so far, BEGIN and COMMIT included. */
  statements(): number
}

/**
 * A transaction that begins with its first write or lock. Under READ COMMITTED every statement sees what is committed
 * when it starts, so questions asked before need no transaction and hold no connection.
 */
export function unitOfWork(pool: Pool, onStatement: () => void = () => undefined): UnitOfWork {
  refuseWhenCrowded(pool)
  let sent = 0
  const count = () => {
    sent++
    onStatement()
  }
  const outside = dbOn(pool, count)
  const events: Emitted[] = []
  const firsts: (First & { written: () => void })[] = []
  let opening: Promise<{ client: PoolClient; line: Line; db: Db }> | undefined
  let finished = false

  const begin = async (first?: Statement) => {
    if (finished) throw new Error('This command has already ended: its write came after atomic() or after the result')
    opening ??= (async () => {
      const client = await pool.connect()
      try {
        count()
        const line = lineOn(client)
        // A BEGIN that fails must not let a write through: only what writes nothing travels with it.
        if (first && /^\s*select\b/i.test(first.text) && !firsts.length) line.hold({ text: 'begin' })
        else await client.query('begin')
        const db = dbOn(line, count)
        for (const { statement, values, written } of firsts.splice(0)) {
          await db.run(statement, values)
          written()
        }
        return { client, line, db }
      } catch (error) {
        client.release(true)
        finished = true
        throw error
      }
    })()
    return await opening
  }
  const dbFor = async (statement: Statement): Promise<Db> => (!opening && isQuestion(statement) ? outside : (await begin(statement)).db)

  const db: Db = {
    rows: async (statement, values) => (await dbFor(statement)).rows(statement, values),
    row: async (statement, values) => (await dbFor(statement)).row(statement, values),
    run: async (statement, values) => (await dbFor(statement)).run(statement, values),
    atomic: async <Row extends object>(statement: Statement, values: readonly unknown[] = []) => {
      if (opening) return (await begin()).db.rows<Row>(statement, values)
      if (finished) throw new Error('A command has one atomic write')
      finished = true
      const before = firsts.splice(0)
      const whole = joined(statement, values, before, events.splice(0))
      const rows = await outside.rows<Row>(whole.statement, whole.values)
      for (const { written } of before) written()
      // Nothing was written: the command may go another way.
      if (rows.length === 0 && whole.statement === statement) finished = false
      return rows
    },
    later: async ({ name, text }, values = []) => {
      const { line } = await begin()
      count()
      line.hold({ name, text, values: values as unknown[] })
    },
  }
  return {
    db,
    emit: (type, payload) => void events.push(emitted(type, payload)),
    before: (statement, values, written) => void firsts.push({ statement, values, written }),
    statements: () => sent,
    commit: async () => {
      const pending = events.splice(0)
      if (pending.length && finished) throw new Error('An event was emitted after the atomic write')
      if (!opening) {
        if (pending.length) await outside.run(insertEvents, eventColumns(pending))
        finished = true
        return
      }
      const { client, line } = await opening
      try {
        if (pending.length) {
          count()
          line.hold({ ...insertEvents, values: eventColumns(pending) })
        }
        count()
        await line.commit()
        finished = true
        client.release()
      } catch (error) {
        finished = true
        client.release(true)
        throw error
      }
    },
    rollback: async () => {
      const wasFinished = finished
      finished = true
      if (!opening || wasFinished) return
      const held = await opening.catch(() => undefined)
      if (!held) return
      count()
      await held.client.query('rollback').then(
        () => held.client.release(),
        () => held.client.release(true),
      )
    },
  }
}
