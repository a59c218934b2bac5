import type { Db } from './scope.ts'

interface Batch<Row> {
  ids: Set<string>
  answer: Promise<ReadonlyMap<string, Row>>
}

/**
 * A read of one row by its id for requests that arrive side by side: those of one turn of the event loop are one statement,
 * since a statement, and the packets that carry it, cost more than its rows. Each `Db` has its own, so a transaction shares none.
 */
export function readTogether<Row extends { id: string }>(
  read: (db: Db, ids: readonly string[]) => Promise<readonly Row[]>,
): (db: Db, id: string) => Promise<Row | undefined> {
  const batches = new WeakMap<Db, Batch<Row>>()
  const open = (db: Db): Batch<Row> => {
    const ids = new Set<string>()
    const turn = new Promise<void>((resolve) => void setImmediate(resolve))
    const answer = turn.then(async () => {
      batches.delete(db)
      return new Map((await read(db, [...ids])).map((row) => [row.id, row]))
    })
    const batch = { ids, answer }
    batches.set(db, batch)
    return batch
  }
  return async (db, id) => {
    const { ids, answer } = batches.get(db) ?? open(db)
    ids.add(id)
    return (await answer).get(id)
  }
}
