import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { currentEpoch, epochPath } from '@purlin/search/index/epochs.ts'
import { newGuest } from '../faults/shop-process.ts'
import type { Random } from '../support/random.ts'

const anyOf = <Item>(random: Random, items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)]

/** The folder that writer and readers of the search index use now. */
function currentFolder(searchDir: string): string | null {
  const epoch = currentEpoch(searchDir)
  return epoch === null ? null : epochPath(searchDir, epoch)
}

/** F17, wrong bytes: flips a bit of a file of the index, cuts it off or loses it. Returns what it did. */
export function damageIndex(searchDir: string, random: Random): string | null {
  const folder = currentFolder(searchDir)
  const index = folder === null ? undefined : anyOf(random, readdirSync(folder))
  if (folder === null || index === undefined) return null
  const file = anyOf(random, readdirSync(join(folder, index)))
  if (file === undefined) return null
  const path = join(folder, index, file)
  const { size } = statSync(path)
  const harm = anyOf(random, ['flipped', 'cut', 'lost'])
  if (harm === 'lost' || size === 0) rmSync(path)
  else if (harm === 'cut') truncateSync(path, Math.floor(random() * size))
  else flip(path, Math.floor(random() * size))
  return `${index}/${file} ${harm}`
}

/** In place: files of the index are shared by the folders of its writers. */
function flip(path: string, at: number): void {
  const file = openSync(path, 'r+')
  const byte = Buffer.alloc(1)
  readSync(file, byte, 0, 1, at)
  writeSync(file, Buffer.from([byte.readUInt8() ^ 1]), 0, 1, at)
  closeSync(file)
}

/** A copy of the index as it is, for later. */
export function copyIndex(searchDir: string, copy: string): void {
  const folder = currentFolder(searchDir)
  if (folder !== null) cpSync(folder, copy, { recursive: true })
}

/** F17, stale: the index is again what it was when it was copied. False without an index or a copy. */
export function putBackIndex(searchDir: string, copy: string): boolean {
  const folder = currentFolder(searchDir)
  if (folder === null || !existsSync(copy)) return false
  cpSync(copy, `${folder}.old`, { recursive: true })
  renameSync(folder, `${folder}.new`)
  renameSync(`${folder}.old`, folder)
  rmSync(`${folder}.new`, { recursive: true })
  return true
}

const words = ['drill', 'paint', 'screw']

/** How many products the search finds for a few words. */
export async function findProducts(port: number): Promise<number[]> {
  const guest = newGuest(port)
  const query = 'query ($input: ListingInput!) { listing(input: $input) { total } }'
  return Promise.all(
    words.map(async (word) => {
      const { listing } = (await guest.ask(query, { input: { kind: 'search', query: word } })) as { listing: { total: number } }
      return listing.total
    }),
  )
}
