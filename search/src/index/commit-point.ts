import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { IndexSettings, Rule, Synonym } from '../types.ts'
import { damageIn, readChecked, reportDamage, withChecksum } from './damage.ts'
import { writeDurably } from './durable-files.ts'

/** Incremented when files of an older format can no longer be read, or words have other stems than before. */
const FORMAT = 8
/** Folders of another format already reported. */
const reported = new Set<string>()

/** Everything an index consists of on disk. Replaced as a whole, so that it only names complete files. */
export interface CommitPoint {
  format: number
  /** Sequence number of the last operation contained in the segments. */
  sequence: number
  updatedAt: string
  settings: IndexSettings
  synonyms: Synonym[]
  rules: Rule[]
  /** The segments, oldest first, each with the id of its live-docs file. */
  segments: { id: number; deleted: number | null }[]
  /** First generation of the translog with operations that are not in the segments. */
  translog: number
  /** Descriptions of the lost or damaged files that have been skipped since the last rebuild. */
  damage: string[]
}

/**
 * Ids of files: the epoch of the writer and a number of its own. No two writers give out the same one, not even a
 * writer that was replaced and does not know it yet.
 */
const IDS_PER_EPOCH = 2 ** 31
export const firstIdOf = (epoch: number): number => epoch * IDS_PER_EPOCH + 1
const nameOf = (id: number): string => `${Math.floor(id / IDS_PER_EPOCH)}-${id % IDS_PER_EPOCH}`

export const commitPath = (folder: string): string => join(folder, 'commit.json')
export const segmentPath = (folder: string, id: number): string => join(folder, `segment-${nameOf(id)}.bin`)
export const documentsPath = (folder: string, id: number): string => join(folder, `segment-${nameOf(id)}.documents`)
export const deletedPath = (folder: string, id: number, generation: number): string =>
  join(folder, `segment-${nameOf(id)}.${nameOf(generation)}.deleted`)
export const translogPath = (folder: string, generation: number): string => join(folder, `translog-${generation}.bin`)

export function emptyCommit(settings: IndexSettings): CommitPoint {
  return {
    format: FORMAT,
    sequence: 0,
    updatedAt: new Date().toISOString(),
    settings,
    synonyms: [],
    rules: [],
    segments: [],
    translog: 1,
    damage: [],
  }
}

const isOlder = (bytes: Buffer): boolean => bytes[0] === 0x7b && bytes[1] === 0x22 && bytes.at(-1) === 0x7d

/** The commit point of a folder, or null when there is no index in it that this version can read: it has to be built again. */
export function readCommit(folder: string): CommitPoint | null {
  const path = commitPath(folder)
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  // Until format 4 the file was the JSON alone.
  if (!isOlder(bytes)) {
    try {
      const commit = JSON.parse(readChecked(path).toString('utf8')) as CommitPoint
      if (commit.format === FORMAT) return commit
    } catch (error) {
      reportDamage([damageIn(error)])
      return null
    }
  }
  if (!reported.has(folder))
    process.emitWarning(`${folder} was written in another format and has to be built again`, { code: 'SEARCH_FORMAT' })
  reported.add(folder)
  return null
}

export function writeCommit(folder: string, commit: CommitPoint): void {
  writeDurably(commitPath(folder), ...withChecksum(Buffer.from(JSON.stringify(commit))))
}

/** Changes whenever the commit point of a folder is replaced; empty when there is none. */
export function commitStamp(folder: string): string {
  const path = commitPath(folder)
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? `${path} ${found.ino} ${found.mtimeMs} ${found.size}` : ''
}
