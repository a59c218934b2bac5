import { markets, type Market } from '@purlin/contract/markets.ts'
import type { SiteScope } from '#platform'
import { reference, type Reference } from '#catalogue'
import { entryPictureUrl } from './draw-entry.ts'
import { isEntryKind, type EntryKind } from './entry.ts'
import { entryUrl } from './entry-urls.ts'
import { shelf, type LiveEntry, type Shelf, type Viewer } from './shelf.ts'

export interface EntriesWanted {
  kind: EntryKind
  categoryId?: number | null
  departmentId?: number | null
  query?: string | null
  first?: number | null
}

const most = 200

/** Live entries of a kind on this storefront: newest first, or the best matches of a search. */
export async function listEntries(scope: SiteScope, { kind, categoryId, departmentId, query, first }: EntriesWanted) {
  const [content, catalogue] = await Promise.all([shelf(scope), reference(scope)])
  const about = categoryId ? (catalogue.categories.byId.get(categoryId)?.path ?? [categoryId]) : null
  const fitting = content
    .entries(kind, scope)
    .filter(({ facts }) => !about || facts.categories.some((id) => isNear(catalogue, id, about)))
    .filter(({ facts }) => !departmentId || facts.department === departmentId)
  const found = query ? ranked(fitting, query, scope.market) : fitting
  const count = Math.min(Math.max(first ?? most, 0), most)
  return found.slice(0, count).map((entry) => showEntryCard(entry, scope, catalogue, content))
}

/** Entries for a category's page: about the category, a descendant or, at the lowest level, its parent. */
function isNear({ categories }: Reference, id: number, about: readonly number[]): boolean {
  return about.at(-1) === id || about.at(-2) === id || (categories.byId.get(id)?.path.includes(about.at(-1) ?? 0) ?? false)
}

export function showEntryCard(entry: LiveEntry, viewer: Viewer, { categories }: Reference, content: Shelf) {
  const { facts } = entry
  return {
    id: entry.id,
    kind: entry.kind,
    key: entry.key,
    title: entry.title,
    description: entry.description,
    url: entry.kind === 'banner' ? bannerUrl(facts.leadsTo, viewer, content) : entryUrl(entry.kind, entry, viewer.market),
    pictureUrl: facts.picture ? entryPictureUrl(entry, null) : null,
    publishedOn: facts.published,
    minutes: facts.minutes ?? null,
    difficulty: facts.difficulty ?? null,
    department: (facts.department !== undefined && categories.byId.get(facts.department)) || null,
  }
}

/** Where a banner leads: the page of the entry it names; null once that is off the shelf. */
function bannerUrl(leadsTo: string | undefined, viewer: Viewer, content: Shelf): string | null {
  const [kind = '', key = ''] = leadsTo?.split(':') ?? []
  const target = isEntryKind(kind) && kind !== 'banner' ? content.find(kind, viewer, { key }) : null
  return target && entryUrl(target.kind, target, viewer.market)
}

const plain = (text: string, market: Market) => text.toLocaleLowerCase(markets[market].locale).normalize('NFD').replace(/\p{M}/gu, '')

/** Scored by shared words with the search, with title words counted twice; a word may be a prefix of another. */
function ranked(entries: readonly LiveEntry[], query: string, market: Market): LiveEntry[] {
  const wanted = plain(query, market)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2)
    .slice(0, 20)
  const points = (text: string) => {
    const words = plain(text, market).split(/[^\p{L}\p{N}]+/u)
    return wanted.filter((word) => words.some((one) => one.startsWith(stemOf(word)) && one.length > 2)).length
  }
  return entries
    .map((entry) => ({ entry, points: 2 * points(entry.title) + points(entry.description) }))
    .filter((one) => one.points > 0)
    .toSorted((a, b) => b.points - a.points)
    .map(({ entry }) => entry)
}

/** Endings differ, beginnings do not: "tiling" finds "tile", "Fliesen" finds "Fliese". */
function stemOf(word: string): string {
  return word.length > 6 ? word.slice(0, -3) : word.length > 4 ? word.slice(0, -2) : word
}
