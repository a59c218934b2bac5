import type { PoolClient, QueryResult } from 'pg'
import { codeOf } from './errors.ts'

interface Sent {
  name?: string
  text: string
  values?: unknown[]
}

/** One connection within one transaction: what need not be waited for travels with what must be. */
export interface Line {
  query(statement: Sent): Promise<QueryResult>
  /** Sent with the next statement, before it. */
  hold(statement: Sent): void
  /** Sends what is held, then COMMIT, together. @throws what went wrong with any of it */
  commit(): Promise<void>
}

/** After a statement failed, all that follow it in its transaction say only this. */
const aborted = '25P02'

export function lineOn(client: PoolClient): Line {
  const held: Sent[] = []
  let fault: unknown

  /** Held statements and this one leave in one packet: each packet wakes the database, and each answer us. */
  const send = async (statement: Sent): Promise<QueryResult> => {
    const before = held.splice(0)
    if (before.length === 0) return client.query(statement)
    const { stream } = (client as { connection?: { stream?: { cork?(): void; uncork?(): void } } }).connection ?? {}
    stream?.cork?.()
    const sent = before.map((each) => client.query(each))
    const answer = client.query(statement)
    stream?.uncork?.()
    const [last, ...others] = await Promise.allSettled([answer, ...sent])
    // Nobody waits for these, so what went wrong with them is told to who comes next.
    for (const each of others) if (each.status === 'rejected') fault ??= each.reason
    if (fault !== undefined && (last.status === 'fulfilled' || codeOf(last.reason) === aborted)) throw fault
    if (last.status === 'rejected') throw last.reason
    return last.value
  }
  return {
    hold: (statement) => void held.push(statement),
    query: send,
    commit: async () => {
      const { command } = await send({ text: 'commit' })
      if (fault !== undefined) throw fault
      // A transaction that failed halfway answers a commit with a rollback, without an error.
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back by the database')
    },
  }
}
