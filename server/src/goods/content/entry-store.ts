import type { Language, Market, Mode } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { EntryFacts, EntryKind, EntryText } from './entry.ts'

/** A version without its blocks. */
export interface VersionRow {
  kind: EntryKind
  id: number
  key: string
  version: number
  liveFrom: Date | null
  liveUntil: Date | null
  markets: Market[]
  modes: Mode[]
  facts: EntryFacts
  heads: Partial<Record<Language, { title: string; description: string }>>
  sourceDigest: string | null
  writtenAt: Date
}

const columns = `entry.kind, entry.id, entry.key, version.version, version.live_from as "liveFrom", version.live_until as "liveUntil",
  version.markets, version.modes, version.facts, version.source_digest as "sourceDigest", version.written_at as "writtenAt",
  coalesce((select jsonb_object_agg(language, jsonb_build_object('title', title, 'description', description)) from content.text
    where text.kind = version.kind and text.entry_id = version.entry_id and text.version = version.version), '{}') as heads`
const tables = 'content.entry join content.version on version.kind = entry.kind and version.entry_id = entry.id'

/** Versions that are live or will be, the newest of each entry first. */
export function readShelf(db: Db): Promise<VersionRow[]> {
  return db.rows<VersionRow>(shelf, [])
}
const shelf = {
  name: 'content.shelf',
  text: `select ${columns} from ${tables}
    where version.live_from is not null and (version.live_until is null or version.live_until > now() - interval '1 hour')
    order by entry.kind, entry.id, version.version desc`,
}

export function readVersions(db: Db, kind: EntryKind, id: number): Promise<VersionRow[]> {
  return db.rows<VersionRow>(versions, [kind, id])
}
const versions = {
  name: 'content.versions',
  text: `select ${columns} from ${tables} where entry.kind = $1 and entry.id = $2 order by version.version desc limit 100`,
}

/** The last version of every entry of a kind. */
export function readNewest(db: Db, kind: EntryKind): Promise<VersionRow[]> {
  return db.rows<VersionRow>(newest, [kind])
}
const newest = {
  name: 'content.newest',
  text: `select distinct on (entry.id) ${columns} from ${tables} where entry.kind = $1 order by entry.id, version.version desc`,
}

export interface TextRow extends EntryText {
  language: Language
}

export function readTexts(db: Db, kind: EntryKind, id: number, version: number): Promise<TextRow[]> {
  return db.rows<TextRow>(texts, [kind, id, version])
}
const texts = {
  name: 'content.texts',
  text: 'select language, title, description, lead, blocks from content.text where kind = $1 and entry_id = $2 and version = $3',
}

export function readText(db: Db, kind: EntryKind, id: number, version: number, language: Language): Promise<TextRow | undefined> {
  return db.row<TextRow>(text, [kind, id, version, language])
}
const text = { name: 'content.text', text: `${texts.text} and language = $4` }

/** Creates the key of an entry, or reports that it exists; serialises writers from here on. */
export async function lockEntry(db: Db, kind: EntryKind, id: number, key: string): Promise<{ key: string; newest: number } | undefined> {
  await db.run(insertEntry, [kind, id, key])
  const entry = await db.row<{ key: string }>(lock, [kind, id])
  if (!entry) return undefined
  return { key: entry.key, newest: (await db.row<{ newest: number }>(newestNumber, [kind, id]))?.newest ?? 0 }
}
const insertEntry = {
  name: 'content.insert-entry',
  text: 'insert into content.entry (kind, id, key) values ($1, $2, $3) on conflict do nothing',
}
const lock = { name: 'content.lock-entry', text: 'select key from content.entry where kind = $1 and id = $2 for update' }
const newestNumber = {
  name: 'content.newest-number',
  text: 'select coalesce(max(version), 0)::int as newest from content.version where kind = $1 and entry_id = $2',
}

export interface NewVersion {
  kind: EntryKind
  id: number
  version: number
  liveFrom: Date | null
  liveUntil: Date | null
  facts: EntryFacts
  texts: Partial<Record<Language, EntryText>>
  sourceDigest: string | null
}

export async function insertVersion(
  db: Db,
  { kind, id, version, liveFrom, liveUntil, facts, texts: words, sourceDigest }: NewVersion,
): Promise<void> {
  await db.run(insert, [kind, id, version, liveFrom, liveUntil, facts.markets, facts.modes, JSON.stringify(facts), sourceDigest])
  const rows = Object.entries(words).map(([language, { title, description, lead, blocks }]) => ({
    language,
    title,
    description,
    lead,
    blocks,
  }))
  await db.run(insertTexts, [kind, id, version, JSON.stringify(rows)])
}
const insert = {
  name: 'content.insert-version',
  text: `insert into content.version (kind, entry_id, version, live_from, live_until, markets, modes, facts, source_digest)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
}
const insertTexts = {
  name: 'content.insert-texts',
  text: `insert into content.text (kind, entry_id, version, language, title, description, lead, blocks)
    select $1, $2, $3, language, title, description, lead, blocks
    from jsonb_to_recordset($4::jsonb) as given (language text, title text, description text, lead text, blocks jsonb)`,
}

/** When a version is shown; false where there is no such version. */
export async function setSchedule(db: Db, kind: EntryKind, id: number, version: number, from: Date, until: Date | null): Promise<boolean> {
  return (await db.run(schedule, [kind, id, version, from, until])) > 0
}
const schedule = {
  name: 'content.schedule',
  text: 'update content.version set live_from = $4, live_until = $5 where kind = $1 and entry_id = $2 and version = $3',
}

/** Older versions end where a lasting one that covers their markets and storefronts begins. */
export function endOlder(db: Db, kind: EntryKind, id: number, version: number): Promise<number> {
  return db.run(end, [kind, id, version])
}
const end = {
  name: 'content.end-older',
  text: `update content.version older set live_until = greatest(older.live_from, newer.live_from) from content.version newer
    where newer.kind = $1 and newer.entry_id = $2 and newer.version = $3 and newer.live_from is not null and newer.live_until is null
      and older.kind = $1 and older.entry_id = $2 and older.version < $3 and older.live_from is not null
      and (older.live_until is null or older.live_until > newer.live_from)
      and older.markets <@ newer.markets and older.modes <@ newer.modes`,
}

/** Shows no version any longer; the number of versions that were shown or waited. */
export function endAll(db: Db, kind: EntryKind, id: number, now: Date): Promise<number> {
  return db.run(endEvery, [kind, id, now])
}
const endEvery = {
  name: 'content.end-all',
  text: `update content.version set live_from = least(live_from, $3), live_until = $3
    where kind = $1 and entry_id = $2 and live_from is not null and (live_until is null or live_until > $3)`,
}

/** Did a version begin or end after the one moment, up to the other? */
export async function turnsBetween(db: Db, after: Date, until: Date): Promise<boolean> {
  return (await db.row<{ turned: boolean }>(turned, [after, until]))?.turned ?? false
}
const turned = {
  name: 'content.turned',
  text: `select exists (select 1 from content.version
    where live_from > $1 and live_from <= $2 or live_until > $1 and live_until <= $2) as turned`,
}
