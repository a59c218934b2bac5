import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { enqueue, type Db } from '#platform'
import type { ContentFault } from './byte-reader.ts'
import { checkContent, ContentError } from './check-content.ts'
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

const maxNameLength = 200

/**
 * Stores a stream under a new unguessable key. Call it outside a command, on `scope.db` of the pool or
 * `services.db`: an upload takes as long as its sender likes. The command that follows records the key.
 */
export async function putFile(db: Db, source: Source, { kind, owner, type, name }: NewFile): Promise<PutResult> {
  const { isPublic, maxBytes, types } = kindOf(kind)
  if (!types.includes(type)) return { ok: false, reason: 'wrong-type' }
  const key = `${isPublic ? 'public' : 'private'}/${kind}/${randomBytes(16).toString('base64url')}.${endings[type]}`
  const file = { key, owner, kind, type, name: name?.slice(0, maxNameLength) ?? null }
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

export type CheckedPutResult = PutResult | { ok: false; reason: ContentFault }

/**
 * Stores a user's file: the type is detected from the bytes, metadata is removed, and active content, damaged files and
 * oversized pictures are refused. The name gets the extension of the real type.
 */
export async function putCheckedFile(db: Db, source: Source, { kind, owner, name }: Omit<NewFile, 'type'>): Promise<CheckedPutResult> {
  try {
    const checked = await checkContent(source, kindOf(kind).maxBytes)
    if (!checked) return { ok: false, reason: 'wrong-type' }
    const { type, content } = checked
    return await putFile(db, content, { kind, owner, type, ...(name !== undefined && { name: fileName(name, type) }) })
  } catch (error) {
    if (error instanceof ContentError) return { ok: false, reason: error.fault }
    throw error
  }
}

/** A file name for display and download: no path, no misleading characters, and the extension of its type. */
export function fileName(given: string, type: FileType): string {
  const base = given.normalize('NFC').split(/[\\/]/).at(-1) ?? ''
  const plain = base
    .toWellFormed()
    // Browsers encode quotes and line breaks of a file name like this.
    .replace(/%(?:22|0D|0A)/gi, '')
    .replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '')
    .trim()
  const stem = plain
    .replace(/(?:\.[A-Za-z0-9]{1,5})+$/, '')
    .replace(/^\.+/, '')
    .slice(0, 80)
    .trim()
  return `${stem || 'file'}.${endings[type]}`
}

/** A file with its bytes; null when there is none. The module that owns it decides who may read it. */
export async function openFile(db: Db, key: string): Promise<{ file: StoredFile; stream: Readable } | null> {
  const file = await findFile(db, key)
  const object = file && (await objectStore().get(key))
  return file && object ? { file, stream: object.stream } : null
}

/** Removes a file in the caller's transaction; its bytes are deleted later. False when there was none. */
export async function removeFile(db: Db, key: string): Promise<boolean> {
  const was = await markRemoved(db, key)
  if (was) await enqueue(db, { name: 'files.remove', key, payload: { key } })
  return was
}
