import type { ColumnMeta } from './doc-values.ts'
import type { RowMeta } from './facet-rows.ts'
import type { TupleMeta } from './facet-tuples.ts'

/** What is said of a segment beside its numbers. */
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
  /** Whether documents stand in another order than their ranking. */
  isArranged: boolean
}
