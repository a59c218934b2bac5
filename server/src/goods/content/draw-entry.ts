import { createHash } from 'node:crypto'
import { drawFamily, type FinishedFile } from '#catalogue'
import type { Db } from '#platform'
import { readVersions } from './entry-store.ts'
import { isEntryKind, type EntryFacts, type EntryKind } from './entry.ts'

type Pictured = { kind: EntryKind; id: number; facts: EntryFacts }

/** Where a picture of an entry is: its main one, or another by the name its text gives it. The address changes with the picture. */
export function entryPictureUrl({ kind, id, facts }: Pictured, name: string | null): string | null {
  const picture = name === null ? facts.picture : facts.pictures[name]
  return picture ? `/pictures/e/${kind}-${id}${name === null ? '' : `-${name}`}.svg?v=${versionOf(picture)}` : null
}

/** The drawing behind such an address; null when the entry has no such picture. */
export async function drawEntry(db: Db, file: string, version: string | null): Promise<FinishedFile | null> {
  const [, kind = '', id = '', name] = /^([a-z]+)-(\d{1,9})(?:-([a-z0-9-]+))?$/.exec(file) ?? []
  if (!isEntryKind(kind)) return null
  const named = ({ pictures }: EntryFacts, own: string) => (Object.hasOwn(pictures, own) ? pictures[own] : undefined)
  const versions = (await readVersions(db, kind, Number(id))).map(({ facts }) => (name ? named(facts, name) : facts.picture))
  // Only under its own address: nobody counts through the pictures of drafts.
  const picture = versions.find((one) => one && versionOf(one) === version)
  return picture ? drawFamily(versionOf(picture), { ...picture, seed: Number(id) }) : null
}

const hashed = new WeakMap<NonNullable<EntryFacts['picture']>, string>()

/** Every list shows the same pictures: each is hashed once. */
function versionOf(picture: NonNullable<EntryFacts['picture']>): string {
  const known = hashed.get(picture)
  if (known !== undefined) return known
  const version = createHash('sha256').update(JSON.stringify(picture)).digest('base64url').slice(0, 12)
  hashed.set(picture, version)
  return version
}
