import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IndexSettings, Rule, Synonym } from '../types.ts'
import { writeDurably } from './durable-files.ts'

/** Rises when files of an older form can no longer be read. */
const FORMAT = 3
/** Folders of another version that have been spoken of. */
const told = new Set<string>()

/** What an index on disk consists of; replaced as a whole, so that it always names files that are complete. */
export interface Manifest {
  format: number
  /** Number of the last change the segments hold. */
  sequence: number
  updatedAt: string
  settings: IndexSettings
  synonyms: Synonym[]
  rules: Rule[]
  segments: { id: number; deleted: number | null }[]
  /** First log whose records are not in the segments. */
  log: number
  nextId: number
}

const NAME = 'manifest.json'

export const manifestPath = (folder: string): string => join(folder, NAME)
export const segmentPath = (folder: string, id: number): string => join(folder, `segment-${id}.bin`)
export const documentsPath = (folder: string, id: number): string => join(folder, `segment-${id}.documents`)
export const deletedPath = (folder: string, id: number, generation: number): string => join(folder, `segment-${id}.${generation}.deleted`)
export const logPath = (folder: string, generation: number): string => join(folder, `log-${generation}.bin`)

export function emptyManifest(settings: IndexSettings): Manifest {
  return {
    format: FORMAT,
    sequence: 0,
    updatedAt: new Date().toISOString(),
    settings,
    synonyms: [],
    rules: [],
    segments: [],
    log: 1,
    nextId: 1,
  }
}

/** The manifest of a folder, or null when there is no index in it. */
export function readManifest(folder: string): Manifest | null {
  let text: string
  try {
    text = readFileSync(manifestPath(folder), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== FORMAT) {
    if (!told.has(folder))
      process.emitWarning(`${folder} is of another version of the engine and has to be built again`, { code: 'SEARCH_FORMAT' })
    told.add(folder)
    return null
  }
  return manifest
}

export function writeManifest(folder: string, manifest: Manifest): void {
  writeDurably(manifestPath(folder), Buffer.from(JSON.stringify(manifest)))
}
