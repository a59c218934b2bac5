import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { enqueue, type Db } from '#platform'
import { endings, kindOf, type FileKind, type FileType } from './kinds.ts'
import { objectStore, TooLargeError, type Source } from './object-store.ts'
import { findFile, insertFile, markRemoved, settleFile, type StoredFile } from './store.ts'

export interface NewFile {
  kind: FileKind
  /** "product:7", "customer:…". */
  owner: string
  /** Content type as determined from the bytes, never the uploader's claim. */
  type: FileType
  /** The owner's file name, for downloads. */
  name?: string
}

export type PutResult =
  | { ok: true; file: StoredFile }
  | { ok: false; reason: 'wrong-type' }
  | { ok: false; reason: 'too-large'; maxBytes: number }

const longestName = 200

/**
 * Stores what a stream gives under a new key nobody can guess. Call it outside of a command, on `scope.db` of the pool or
 * `services.db`: an upload takes as long as its sender likes. The command that follows keeps the key.
 */
export async function putFile(db: Db, source: Source, { kind, owner, type, name }: NewFile): Promise<PutResult> {
  const { isPublic, maxBytes, types } = kindOf(kind)
  if (!types.includes(type)) return { ok: false, reason: 'wrong-type' }
  const key = `${isPublic ? 'public' : 'private'}/${kind}/${randomBytes(16).toString('base64url')}.${endings[type]}`
  const file = { key, owner, kind, type, name: name?.slice(0, longestName) ?? null }
  await insertFile(db, file)
  try {
    const written = await objectStore().put(key, source, { type, maxBytes })
    await settleFile(db, key, written)
    return { ok: true, file: { ...file, ...written } }
  } catch (error) {
    await removeFile(db, key)
    if (error instanceof TooLargeError) return { ok: false, reason: 'too-large', maxBytes }
    throw error
  }
}

/** A file with its bytes; null when there is none. Whether the asker may have it is the owner's module to say. */
export async function openFile(db: Db, key: string): Promise<{ file: StoredFile; stream: Readable } | null> {
  const file = await findFile(db, key)
  const object = file && (await objectStore().get(key))
  return file && object ? { file, stream: object.stream } : null
}

/** Takes a file away with the caller's transaction; its bytes follow. False when there was none. */
export async function removeFile(db: Db, key: string): Promise<boolean> {
  const was = await markRemoved(db, key)
  if (was) await enqueue(db, { name: 'files.remove', key, payload: { key } })
  return was
}
