import { analyzerFor } from '../analysis/analyzer.ts'
import type { Segment } from '../segment/segment-reader.ts'
import { fieldWeights, schemaOf, type Schema } from '../segment/schema.ts'
import type { IndexSettings, Rule, Synonym } from '../types.ts'
import type { Bits } from './bitsets.ts'
import { synonymsOf, type SynonymTable } from './synonyms.ts'

/** A segment with its deleted documents. */
export interface Part {
  segment: Segment
  deleted: Bits | null
  live: number
}

/** The settings, synonyms and rules of an index, compiled. */
export interface IndexConfig {
  settings: IndexSettings
  schema: Schema
  weights: number[]
  stopWords: Set<string>
  synonyms: Synonym[]
  /** Compiled on first use: thousands of synonyms take a while, and many indexes are opened long before they are searched. */
  readonly synonymTable: SynonymTable
  rules: Rule[]
}

/** An index at one moment. A search uses a single snapshot. */
export interface Snapshot {
  name: string
  config: IndexConfig
  parts: Part[]
  version: number
  updatedAt: string
}

export function configOf(settings: IndexSettings, synonyms: Synonym[], rules: Rule[]): IndexConfig {
  const schema = schemaOf(settings)
  const analyzer = analyzerFor(schema.language)
  const compiled = synonymsOf(analyzer, synonyms)
  return {
    settings,
    schema,
    weights: fieldWeights(settings, schema),
    stopWords: new Set((settings.stopWords ?? []).map((word) => analyzer.word(word).surface)),
    synonyms: compiled.list,
    get synonymTable() {
      return compiled.table
    },
    rules,
  }
}

export const liveCount = (snapshot: Snapshot): number => snapshot.parts.reduce((sum, part) => sum + part.live, 0)

/** The newest live copy of a document, with its segment. */
export function locate(snapshot: Snapshot, objectID: string): { part: Part; at: number; index: number } | null {
  for (let index = snapshot.parts.length - 1; index >= 0; index--) {
    const part = snapshot.parts[index]!
    const at = part.segment.find(objectID)
    if (at >= 0 && !(part.deleted && part.deleted[at >>> 5]! & (1 << (at & 31)))) return { part, at, index }
  }
  return null
}
