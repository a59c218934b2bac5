import type { Column } from '../segment/doc-values.ts'
import type { Part } from './snapshot.ts'

/** The group of a document: the value, or its number, of the attribute; null when it has none and forms its own group. */
export function groupOf({ segment }: Part, document: number, attribute: string): string | null {
  const column = segment.columns.get(attribute)
  if (!column) return null
  const value = ordOf(column, document)
  if (value >= 0) return column.values.get(value)
  const number = column.number?.at(document) ?? NaN
  return Number.isNaN(number) ? null : String(number)
}

/** Number of the first value of a document, or -1. */
function ordOf(column: Column, document: number): number {
  if (column.single) return column.single[document]! - 1
  const at = column.flatStarts![document]!
  return at < column.flatStarts![document + 1]! ? column.flat![at]! : -1
}
