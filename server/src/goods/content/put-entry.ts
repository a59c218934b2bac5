import { isDeepStrictEqual } from 'node:util'
import type { Language } from '@purlin/contract/markets.ts'
import { purgePages, type JobScope } from '#platform'
import { endAll, endOlder, insertVersion, lockEntry, readTexts, readVersions, setSchedule, type VersionRow } from './entry-store.ts'
import { linksOf, namesMissing } from './check-entry.ts'
import type { EntryFacts, EntryKind, EntryText } from './entry.ts'
import { contentTag } from './shelf.ts'
import { isTextPage } from './text.ts'

export interface EntryChange {
  kind: EntryKind
  id: number
  key: string
  facts: EntryFacts
  texts: Partial<Record<Language, EntryText>>
  /** The latest version its editor saw, 0 for a new entry: a concurrent editor gets a conflict. */
  replaces: number
  /** Null keeps it a draft. */
  from: Date | null
  until: Date | null
  sourceDigest?: string
}
export type EntryRefusal =
  | 'replaced-meanwhile'
  | 'key-taken'
  | 'key-changed'
  | 'ends-before-it-begins'
  | 'names-missing'
  | 'unknown-version'
type Refused = { ok: false; reason: EntryRefusal; details?: string[] }
type Scope = Pick<JobScope, 'db' | 'now'>

/** Writes a version of an entry; one identical to the latest is not written again. */
export async function putEntry({ db }: Scope, change: EntryChange): Promise<{ ok: true; version: number; written: boolean } | Refused> {
  const { kind, id, key, facts, texts, from, until } = change
  if (from === null ? until !== null : until !== null && until <= from) return { ok: false, reason: 'ends-before-it-begins' }
  const details = Object.entries(texts).flatMap(([language, text]) => [
    ...namesMissing(facts, text).map((fault) => `${language}: ${fault}`),
    ...linksOf(text.blocks)
      .filter((to) => to.startsWith('page:') && !isTextPage(to.slice('page:'.length).split('#')[0] ?? ''))
      .map((to) => `${language}: there is no ${to}`),
  ])
  if (details.length > 0) return { ok: false, reason: 'names-missing', details }
  const entry = await lockEntry(db, kind, id, key)
  if (!entry) return { ok: false, reason: 'key-taken' }
  if (entry.key !== key) return { ok: false, reason: 'key-changed' }
  const [newest] = await readVersions(db, kind, id)
  if (newest && newest.version === entry.newest && (await saysTheSame({ db }, newest, change)))
    return { ok: true, version: newest.version, written: false }
  if (entry.newest !== change.replaces)
    return { ok: false, reason: 'replaced-meanwhile', details: [`the newest version is ${entry.newest}`] }
  const version = entry.newest + 1
  await insertVersion(db, { kind, id, version, liveFrom: from, liveUntil: until, facts, texts, sourceDigest: change.sourceDigest ?? null })
  if (from !== null) await endOlder(db, kind, id, version)
  await purgePages(db, [contentTag])
  return { ok: true, version, written: true }
}

async function saysTheSame(
  { db }: Pick<Scope, 'db'>,
  row: VersionRow,
  { kind, id, facts, texts, from, until }: EntryChange,
): Promise<boolean> {
  const isSameTime = row.liveFrom?.getTime() === from?.getTime() && row.liveUntil?.getTime() === until?.getTime()
  if (!isSameTime || !isDeepStrictEqual(row.facts, facts)) return false
  const known = (await readTexts(db, kind, id, row.version)).map(({ language, ...text }) => [language, text] as const)
  return isDeepStrictEqual(Object.fromEntries(known), { ...texts })
}

/** Sets the dates between which a version is shown; the versions it replaces end with its start. */
export async function scheduleEntry(
  { db }: Scope,
  { kind, id, version, from, until }: { kind: EntryKind; id: number; version: number; from: Date; until: Date | null },
): Promise<{ ok: true } | Refused> {
  if (until !== null && until <= from) return { ok: false, reason: 'ends-before-it-begins' }
  if (!(await setSchedule(db, kind, id, version, from, until))) return { ok: false, reason: 'unknown-version' }
  await endOlder(db, kind, id, version)
  await purgePages(db, [contentTag])
  return { ok: true }
}

/** Takes an entry off every storefront; its versions stay. */
export async function withdrawEntry({ db, now }: Scope, kind: EntryKind, id: number): Promise<boolean> {
  const ended = await endAll(db, kind, id, now)
  if (ended > 0) await purgePages(db, [contentTag])
  return ended > 0
}
