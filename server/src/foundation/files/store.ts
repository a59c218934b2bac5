import type { Db } from '#platform'
import type { FileKind, FileType } from './kinds.ts'
import type { Written } from './object-store.ts'

export interface StoredFile extends Written {
  key: string
  owner: string
  kind: FileKind
  name: string | null
  type: FileType
}

const insert = { name: 'files.insert', text: 'insert into files.file (key, owner, kind, name, type) values ($1, $2, $3, $4, $5)' }
export async function insertFile(db: Db, { key, owner, kind, name, type }: Omit<StoredFile, keyof Written>): Promise<void> {
  await db.run(insert, [key, owner, kind, name, type])
}

const settle = { name: 'files.settle', text: `update files.file set state = 'ready', bytes = $2, sha256 = $3 where key = $1` }
export async function settleFile(db: Db, key: string, { bytes, sha256 }: Written): Promise<void> {
  await db.run(settle, [key, bytes, sha256])
}

const find = {
  name: 'files.find',
  text: `select key, owner, kind, name, type, bytes::float8 as bytes, sha256 from files.file where key = $1 and state = 'ready'`,
}
export function findFile(db: Db, key: string): Promise<StoredFile | undefined> {
  return db.row<StoredFile>(find, [key])
}

const disown = { name: 'files.disown', text: `update files.file set owner = 'erased' where key = any($1)` }
/** These files no longer name their owner. */
export async function disownFiles(db: Db, keys: readonly string[]): Promise<void> {
  await db.run(disown, [keys])
}

const mark = { name: 'files.mark-removed', text: `update files.file set state = 'removed' where key = $1 and state <> 'removed'` }
export async function markRemoved(db: Db, key: string): Promise<boolean> {
  return (await db.run(mark, [key])) === 1
}

const forget = { name: 'files.forget', text: `delete from files.file where key = $1 and state <> 'ready'` }
export async function forgetFile(db: Db, key: string): Promise<void> {
  await db.run(forget, [key])
}

const unsettled = {
  name: 'files.unsettled',
  text: `select key from files.file where state <> 'ready' and created_at < $1 order by created_at limit 1000`,
}
/** Files whose upload or removal was never completed. */
export async function unsettledFiles(db: Db, before: Date): Promise<string[]> {
  return (await db.rows<{ key: string }>(unsettled, [before])).map(({ key }) => key)
}
