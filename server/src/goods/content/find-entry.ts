import { marketCodes, markets, type Market } from '@purlin/contract/markets.ts'
import type { SiteScope } from '#platform'
import { readText, readVersions } from './entry-store.ts'
import type { EntryKind, EntryText } from './entry.ts'
import { entryUrl } from './entry-urls.ts'
import { previewedVersion } from './preview-link.ts'
import { liveEntry, shelf, type EntryName, type LiveEntry } from './shelf.ts'

export interface FoundEntry {
  entry: LiveEntry
  text: EntryText
  isPreview: boolean
}

/** A live entry of this storefront with its text, or the version of a preview link with a valid signature; otherwise null. */
export async function findEntry(scope: SiteScope, kind: EntryKind, by: EntryName, preview?: string | null): Promise<FoundEntry | null> {
  const { language } = markets[scope.market]
  const live = (await shelf(scope)).find(kind, scope, by)
  const asked = preview ? await previewed(scope, kind, 'id' in by ? by.id : live?.id, preview) : null
  const entry = preview ? asked : live
  if (!entry) return null
  const text = await readText(scope.db, kind, entry.id, entry.version, language)
  return text ? { entry, text, isPreview: asked !== null } : null
}

async function previewed(scope: SiteScope, kind: EntryKind, id: number | undefined, preview: string): Promise<LiveEntry | null> {
  if (id === undefined) return null
  const version = previewedVersion(kind, id, preview, scope.now)
  const row = version === null ? undefined : (await readVersions(scope.db, kind, id)).find((one) => one.version === version)
  return row && row.markets.includes(scope.market) ? liveEntry(row, markets[scope.market].language) : null
}

/** The address of an entry in every market that has it on this kind of storefront. */
export async function alternatesOf(scope: SiteScope, { kind, id }: LiveEntry): Promise<{ market: Market; url: string }[]> {
  const content = await shelf(scope)
  return marketCodes.flatMap((market) => {
    const entry = content.find(kind, { market, mode: scope.mode, now: scope.now }, { id })
    const url = entry && entryUrl(kind, entry, market)
    return url ? [{ market, url }] : []
  })
}
