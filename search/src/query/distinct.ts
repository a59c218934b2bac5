import type { Ranking } from './top-hits-collector.ts'
import { bestPlaces } from './top-hits-collector.ts'
import type { Part } from './snapshot.ts'
import type { Column } from '../segment/doc-values.ts'

/**
 * Keeps the best `most` documents of each group over all parts.
 * Returns, per part, the indexes kept, and the number of groups.
 */
export function keepBestOfGroups(
  attribute: string,
  most: number,
  parts: readonly Part[],
  rankings: readonly Ranking[],
  compare: (x: { part: number; place: number }, y: { part: number; place: number }) => number,
): { kept: Uint32Array[]; groups: number } {
  const kept: number[][] = parts.map(() => [])
  const byValue = new Map<string, { part: number; place: number }[]>()
  let groups = 0
  parts.forEach(({ segment }, part) => {
    const ranking = rankings[part]!
    const { documents } = ranking.matched
    const column = segment.columns.get(attribute)
    const numberOf = (document: number): number => column?.number?.[document] ?? NaN
    // Best per group within the part, then against the other parts.
    const ofPart = new Map<number | string, number[]>()
    for (let place = 0; place < documents.length; place++) {
      const document = documents[place]!
      const ord = column ? ordOf(column, document) : -1
      const number = ord < 0 ? numberOf(document) : 0
      if (ord < 0 && Number.isNaN(number)) {
        kept[part]!.push(place)
        groups++
        continue
      }
      const key = ord < 0 ? `n${number}` : ord
      const list = ofPart.get(key)
      if (list) list.push(place)
      else ofPart.set(key, [place])
    }
    for (const [key, places] of ofPart) {
      const best = places.length <= most ? places : [...bestPlaces(ranking, most, Uint32Array.from(places))]
      const text = typeof key === 'string' ? key.slice(1) : column!.values.get(key)
      const list = byValue.get(text)
      const entries = best.map((place) => ({ part, place }))
      if (list) list.push(...entries)
      else byValue.set(text, entries)
    }
  })
  for (const list of byValue.values()) {
    groups++
    if (list.length > most) list.sort(compare)
    for (const { part, place } of list.slice(0, most)) kept[part]!.push(place)
  }
  return { kept: kept.map((places) => Uint32Array.from(places)), groups }
}

/** The group of a document: the value, or its number, of the attribute; null when it has none and forms its own group. */
export function groupOf({ segment }: Part, document: number, attribute: string): string | null {
  const column = segment.columns.get(attribute)
  if (!column) return null
  const value = ordOf(column, document)
  if (value >= 0) return column.values.get(value)
  const number = column.number?.[document] ?? NaN
  return Number.isNaN(number) ? null : String(number)
}

/** Number of the first value of a document, or -1. */
function ordOf(column: Column, document: number): number {
  if (column.single) return column.single[document]! - 1
  const at = column.flatStarts![document]!
  return at < column.flatStarts![document + 1]! ? column.flat![at]! : -1
}
