import { markets, type Language, type Market, type Mode } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import { readShelf, type VersionRow } from './entry-store.ts'
import type { EntryKind } from './entry.ts'

/** An entry as it is live on a storefront, without its blocks. */
export interface LiveEntry extends Omit<VersionRow, 'heads'> {
  title: string
  description: string
}

/** Index of all entries and their dates, in this process's memory, without the blocks. */
export interface Shelf {
  /** Live entries of a kind on a storefront, newest first. */
  entries(kind: EntryKind, viewer: Viewer): readonly LiveEntry[]
  /** By its number, its key, or its slug in any language. */
  find(kind: EntryKind, viewer: Viewer, by: EntryName): LiveEntry | null
}
export type EntryName = { id: number } | { key: string }
export interface Viewer {
  market: Market
  mode: Mode
  now: Date
}

export const contentTag = 'content'
/** A purge of its tag makes a change visible at once; this only bounds the delay after a lost purge. */
const keptMs = 600_000
let kept: { shelf: Promise<Shelf>; until: number } | undefined

export function shelf(scope: { db: Db }): Promise<Shelf> {
  const now = Date.now()
  if (kept && kept.until > now) return kept.shelf
  const asked = { shelf: readShelf(scope.db).then(shelfOf), until: now + keptMs }
  kept = asked
  asked.shelf.catch(() => {
    if (kept === asked) kept = undefined
  })
  return asked.shelf
}

export function forgetContent(): void {
  kept = undefined
}

/** The index of these versions; those of one entry stand together. */
export function shelfOf(rows: readonly VersionRow[]): Shelf {
  const byKind = new Map<EntryKind, VersionRow[][]>()
  for (const row of rows) {
    const entries = byKind.get(row.kind) ?? []
    byKind.set(row.kind, entries)
    const last = entries.at(-1)
    if (last?.[0]?.id === row.id) last.push(row)
    else entries.push([row])
  }
  const live = (versions: readonly VersionRow[], viewer: Viewer): LiveEntry[] => {
    const language = markets[viewer.market].language
    const version = versions.find((row) => isLive(row, viewer, language))
    return version ? [liveEntry(version, language)] : []
  }
  const listed = new Map<string, Listed>()
  return {
    entries: (kind, viewer) => {
      const key = `${kind} ${viewer.market} ${viewer.mode}`
      const known = listed.get(key)
      if (known && known.from <= viewer.now && viewer.now < known.until) return known.entries
      const entries = byKind.get(kind) ?? []
      const found = {
        ...unchangedAround(viewer.now, entries.flat()),
        entries: entries
          .flatMap((versions) => live(versions, viewer))
          .toSorted((a, b) => b.facts.published.localeCompare(a.facts.published) || b.id - a.id),
      }
      listed.set(key, found)
      return found.entries
    },
    find: (kind, viewer, by) => {
      const versions = byKind.get(kind)?.find(([row]) => row && isNamed(row, by)) ?? []
      return live(versions, viewer)[0] ?? null
    },
  }
}

/** The live entries of a kind on a storefront, and the time in which they are the same. */
interface Listed {
  from: Date
  until: Date
  entries: readonly LiveEntry[]
}

/** The time around a moment in which no version begins or ends. */
function unchangedAround(now: Date, versions: readonly VersionRow[]): Pick<Listed, 'from' | 'until'> {
  const changes = versions.flatMap(({ liveFrom, liveUntil }) => [liveFrom, liveUntil].filter((time) => time !== null))
  const last = changes.filter((time) => time <= now).map(Number)
  const next = changes.filter((time) => time > now).map(Number)
  return { from: new Date(Math.max(0, ...last)), until: new Date(Math.min(8.64e15, ...next)) }
}

function isNamed({ id, key, facts }: VersionRow, by: EntryName): boolean {
  return 'id' in by ? id === by.id : key === by.key || Object.values(facts.slugs ?? {}).includes(by.key)
}

function isLive(
  { liveFrom, liveUntil, markets: shownIn, modes, heads }: VersionRow,
  { market, mode, now }: Viewer,
  language: Language,
): boolean {
  return (
    liveFrom !== null &&
    liveFrom <= now &&
    (liveUntil === null || liveUntil > now) &&
    shownIn.includes(market) &&
    modes.includes(mode) &&
    heads[language] !== undefined
  )
}

export function liveEntry({ heads, ...row }: VersionRow, language: Language): LiveEntry {
  return { ...row, title: heads[language]?.title ?? '', description: heads[language]?.description ?? '' }
}
