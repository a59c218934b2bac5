import type { Db } from './scope.ts'

const read = { name: 'platform.read-note', text: 'select value from platform.note where key = $1' }
const write = {
  name: 'platform.write-note',
  text: 'insert into platform.note (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value, at = now()',
}

/** A small fact about this database; undefined when it was never written. */
export async function readNote<Value>(db: Db, key: string): Promise<Value | undefined> {
  return (await db.row<{ value: Value }>(read, [key]))?.value
}

export async function writeNote(db: Db, key: string, value: unknown): Promise<void> {
  await db.run(write, [key, JSON.stringify(value)])
}
