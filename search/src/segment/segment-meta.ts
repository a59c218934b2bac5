import type { ColumnMeta } from './doc-values.ts'
import type { RowMeta } from './facet-rows.ts'
import type { TupleMeta } from './facet-tuples.ts'

/** Metadata of a segment. */
export interface SegmentMeta {
  count: number
  fields: number
  /** Words per field over all documents. */
  totalLengths: number[]
  columns: ColumnMeta[]
  sorts: string[]
  compounds: boolean
  rows: RowMeta | null
  tuples: TupleMeta | null
  /** Whether documents are stored in another order than their ranking. */
  isArranged: boolean
  /** Whether documents of one group of `attributeForDistinct` are neighbours, with their groups written. */
  isGrouped: boolean
  /** Size in bytes and CRC-32 of the file of the documents; null for a segment in memory. */
  documents: { size: number; checksum: number } | null
}
