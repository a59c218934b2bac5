import { disownFiles } from '#files'
import type { Db } from '#platform'

export interface Upload {
  id: string
  name: string
  fileKey: string
}

const turn = { name: 'uploads.take-turn', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' }
/** Serialises the counting of uploads of a person or a line until the transaction ends. */
export async function takeTurn(db: Db, of: string): Promise<void> {
  await db.run(turn, [`upload ${of}`])
}

/** Whose limit of unused files an upload counts in, so that strangers cannot use up that of buyers. */
export type Pot = 'guest' | 'customer' | 'buyer'

/** Hashes of a sender's network and line; null for our own. */
export interface Sender {
  network: string | null
  line: string | null
}

export interface Recent {
  files: number
  bytes: number
  ofSender: number
  /** Total bytes of unused uploads in the pot, and of one line in it. */
  unused: number
  unusedOfLine: number
}

const count = {
  name: 'uploads.count-recent',
  text: `select
      (select count(*)::int from uploads.upload where owner = $1 and created_at > $3) as files,
      (select coalesce(sum(bytes), 0)::float8 from uploads.upload where owner = $1 and created_at > $3) as bytes,
      (select count(*)::int from uploads.upload where sender_hash = $2 and created_at > $3) as "ofSender",
      coalesce(sum(bytes), 0)::float8 as unused, coalesce(sum(bytes) filter (where line_hash = $5), 0)::float8 as "unusedOfLine"
    from uploads.upload where used_by is null and pot = $4`,
}
export async function countRecent(db: Db, owner: string, { network, line }: Sender, pot: Pot, since: Date): Promise<Recent> {
  const none = { files: 0, bytes: 0, ofSender: 0, unused: 0, unusedOfLine: 0 }
  return (await db.row<Recent>(count, [owner, network, since, pot, line])) ?? none
}

const insert = {
  name: 'uploads.insert',
  text: 'insert into uploads.upload (id, owner, sender_hash, bytes, line_hash, pot) values ($1, $2, $3, $4, $5, $6)',
}
export async function insertUpload(
  db: Db,
  { id, owner, bytes, sender = null, pot = 'guest' }: { id: string; owner: string; bytes: number; sender?: Sender | null; pot?: Pot },
): Promise<void> {
  await db.run(insert, [id, owner, sender?.network ?? null, bytes, sender?.line ?? null, pot])
}

const settle = { name: 'uploads.settle', text: 'update uploads.upload set file_key = $2, name = $3, bytes = $4 where id = $1' }
/** Outcome of an upload: the stored file, or null. */
export async function settleUpload(db: Db, id: string, file: { key: string; name: string; bytes: number } | null): Promise<void> {
  await db.run(settle, [id, file?.key ?? null, file?.name ?? null, file?.bytes ?? 0])
}

const use = {
  name: 'uploads.use',
  text: `update uploads.upload set used_by = $3 where id = any($1::uuid[]) and owner = $2 and used_by is null and file_key is not null
    returning id::text, name, file_key as "fileKey"`,
}
export function markUsed(db: Db, ids: readonly string[], owner: string, usedBy: string): Promise<Upload[]> {
  return db.rows<Upload>(use, [ids, owner, usedBy])
}

const find = {
  name: 'uploads.find',
  text: `select id::text, name, file_key as "fileKey" from uploads.upload where id = $1 and used_by is not null and file_key is not null`,
}
/** An upload that is in use. */
export function findUsed(db: Db, id: string): Promise<Upload | undefined> {
  return db.row<Upload>(find, [id])
}

const drop = {
  name: 'uploads.drop-unused',
  text: `delete from uploads.upload where id in (select id from uploads.upload where used_by is null and created_at < $1 order by created_at limit 1000)
    returning file_key as "fileKey"`,
}
/** Deletes the rows of expired unused uploads; returns the keys of their files. */
export async function dropUnused(db: Db, before: Date): Promise<string[]> {
  return (await db.rows<{ fileKey: string | null }>(drop, [before])).flatMap(({ fileKey }) => fileKey ?? [])
}

const dropOf = {
  name: 'uploads.drop-of',
  text: 'delete from uploads.upload where owner = $1 or used_by = any($2) returning file_key as "fileKey"',
}
/** Deletes the rows of a person's uploads, including used ones; returns the keys of their files. */
export async function dropUploadsOf(db: Db, owner: string, usedBy: readonly string[]): Promise<string[]> {
  return (await db.rows<{ fileKey: string | null }>(dropOf, [owner, usedBy])).flatMap(({ fileKey }) => fileKey ?? [])
}

const attached = {
  name: 'uploads.attached',
  text: `select id::text, used_by as "usedBy" from uploads.upload
    where (owner = $1 or id = any($2::uuid[])) and split_part(used_by, ':', 1) = any($3)`,
}
export interface Attached {
  id: string
  /** "dispute:…": the kind and id of what the file belongs to. */
  usedBy: string
}
/** Files of an owner, or with these ids, that are attached to things of these kinds. */
export function readAttached(
  db: Db,
  { owner, ids }: { owner: string | null; ids: readonly string[] },
  kinds: readonly string[],
): Promise<Attached[]> {
  return db.rows<Attached>(attached, [owner, ids, kinds])
}

const disown = {
  name: 'uploads.disown',
  text: `with disowned as (
      update uploads.upload set owner = 'erased', sender_hash = null, line_hash = null where id = any($1::uuid[]) returning file_key
    ) select file_key as "fileKey" from disowned where file_key is not null`,
}
/** These uploads, with their files, no longer name who has sent them. */
export async function disownUploads(db: Db, ids: readonly string[]): Promise<void> {
  const files = await db.rows<{ fileKey: string }>(disown, [ids])
  await disownFiles(
    db,
    files.map(({ fileKey }) => fileKey),
  )
}

const dropThese = { name: 'uploads.drop', text: 'delete from uploads.upload where id = any($1::uuid[]) returning file_key as "fileKey"' }
/** Deletes the rows of these uploads; returns the keys of their files. */
export async function dropUploads(db: Db, ids: readonly string[]): Promise<string[]> {
  return (await db.rows<{ fileKey: string | null }>(dropThese, [ids])).flatMap(({ fileKey }) => fileKey ?? [])
}

const of = {
  name: 'uploads.of-owner',
  text: `select id::text, name, bytes::float8 as bytes, used_by as "usedBy", created_at as "createdAt" from uploads.upload
    where owner = $1 and file_key is not null order by created_at`,
}
/** Files that a person has sent, as the copy of their data lists them. */
export function readUploadsOf(
  db: Db,
  owner: string,
): Promise<{ id: string; name: string; bytes: number; usedBy: string | null; createdAt: Date }[]> {
  return db.rows(of, [owner])
}

const forget = {
  name: 'uploads.forget-senders',
  text: 'update uploads.upload set sender_hash = null, line_hash = null where sender_hash is not null and created_at < $1',
}
export async function forgetSenders(db: Db, before: Date): Promise<void> {
  await db.run(forget, [before])
}
