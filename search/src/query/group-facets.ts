import type { Column } from '../segment/doc-values.ts'
import type { Segment } from '../segment/segment-reader.ts'
import { byCodeUnit } from '../segment/term-dictionary.ts'
import { uints } from './arena.ts'
import { countFacetsWith, mergeCounts, type ValueCount } from './facet-counts.ts'
import { sharedGroups } from './shared-groups.ts'
import type { Part } from './snapshot.ts'

/**
 * Facet counts in groups instead of documents: the number of groups that have a matching document with the value. A page that
 * shows one hit per group then shows as many hits as the count of the value that was chosen. The first match of each group is
 * counted like any document; of its other matches only the values in which the group's documents differ.
 */
export function countGroups(
  attributes: readonly string[],
  parts: readonly Part[],
  matched: readonly Uint32Array[],
  distinct: string,
): ValueCount[][] {
  const { firsts, several, split } = runsOf(parts, matched, distinct)
  const counted = countFacetsWith(attributes, parts, firsts, (segment, part) =>
    addOthers(segment, attributes, matched[part]!, several[part]!),
  )
  const more = split.size === 0 ? null : countSplit(attributes, parts, matched, split)
  return more ? counted.map((counts, at) => mergeCounts(counts, more[at]!)) : counted
}

/** Matches of one group in a part: from the first index to before the last. */
interface Run {
  part: number
  from: number
  to: number
}

interface Runs {
  /** Per part, the first match of each group. */
  firsts: Uint32Array[]
  /** Per part, the first index and the one after the last of each group with several matches. */
  several: Uint32Array[]
  /** By shared number: the runs of groups that match in several parts, the first of which is among the others too. */
  split: Map<number, Run[]>
}

function runsOf(parts: readonly Part[], matched: readonly Uint32Array[], distinct: string): Runs {
  const shared = sharedGroups(parts, distinct)
  const seen = new Map<number, Run>()
  const split = new Map<number, Run[]>()
  const several: Uint32Array[] = []
  const firsts = parts.map(({ segment }, part) => {
    const documents = matched[part]!
    const list = uints(documents.length)
    const pairs = uints(documents.length)
    several.push(pairs)
    if (documents.length === 0) return list
    const { of } = segment.groups!
    const numbers = shared[part] ?? null
    let count = 0
    let ends = 0
    for (let from = 0; from < documents.length;) {
      const group = of[documents[from]!]!
      let to = from + 1
      while (to < documents.length && of[documents[to]!] === group) to++
      if (numbers === null || numbers[group]! < 0 || isFirst(numbers[group]!, { part, from, to })) {
        list[count++] = documents[from]!
        if (to - from > 1) {
          pairs[ends++] = from
          pairs[ends++] = to
        }
      }
      from = to
    }
    several[part] = pairs.subarray(0, ends)
    return list.subarray(0, count)
  })
  return { firsts, several, split }

  function isFirst(number: number, run: Run): boolean {
    const before = seen.get(number)
    if (!before) {
      seen.set(number, run)
      return true
    }
    const runs = split.get(number)
    if (runs) runs.push(run)
    else split.set(number, [before, run])
    return false
  }
}

/** Adds to the counts of a column the values that other matches of a group have and earlier ones have not. */
type AddTo = (name: string, column: Column, counts: Uint32Array) => void

function addOthers(segment: Segment, attributes: readonly string[], documents: Uint32Array, several: Uint32Array): AddTo | null {
  if (several.length === 0) return null
  const { of, varying, varyingStarts } = segment.groups!
  const wanted = new Map(attributes.map((name) => [name, [] as number[]]))
  const runsByColumn = segment.meta.columns.map(({ name }) => wanted.get(name))
  for (let at = 0; at < several.length; at += 2) {
    const group = of[documents[several[at]!]!]!
    for (let i = varyingStarts[group]!; i < varyingStarts[group + 1]!; i++) runsByColumn[varying[i]!]?.push(at)
  }
  return (name, column, counts) => {
    const runs = wanted.get(name)!
    if (runs.length === 0) return
    const { single, flat, flatStarts } = column
    // The run in which each value was last seen; value 0 of a column of one value per document is none.
    const last = uints(column.values.count + 1).fill(0)
    for (let run = 0; run < runs.length; run++) {
      const from = several[runs[run]!]!
      const to = several[runs[run]! + 1]!
      for (let place = from; place < to; place++) {
        const document = documents[place]!
        // The values of the first are counted already.
        const isCounted = place > from
        const [start, end] = single ? [0, 1] : [flatStarts![document]!, flatStarts![document + 1]!]
        for (let i = start; i < end; i++) {
          const value = single ? single[document]! : flat![i]! + 1
          if (value === 0 || last[value] === run + 1) continue
          last[value] = run + 1
          if (isCounted) counts[value - 1]!++
        }
      }
    }
  }
}

/** Counts of groups with matches in several parts, by text: the parts number their values differently. */
function countSplit(
  attributes: readonly string[],
  parts: readonly Part[],
  matched: readonly Uint32Array[],
  split: ReadonlyMap<number, readonly Run[]>,
): ValueCount[][] {
  return attributes.map((name) => {
    const counts = new Map<string, number>()
    for (const runs of split.values()) {
      const seen = new Set<string>()
      for (const [at, { part, from, to }] of runs.entries()) {
        const column = parts[part]!.segment.columns.get(name)
        if (!column) continue
        for (let place = from; place < to; place++) {
          for (const value of valuesOf(column, matched[part]![place]!)) {
            if (seen.has(value)) continue
            seen.add(value)
            if (at > 0) counts.set(value, (counts.get(value) ?? 0) + 1)
          }
        }
      }
    }
    return [...counts].sort(([x], [y]) => byCodeUnit(x, y))
  })
}

function* valuesOf({ single, flat, flatStarts, values }: Column, document: number): Generator<string> {
  if (single) {
    if (single[document]! > 0) yield values.get(single[document]! - 1)
  } else for (let at = flatStarts![document]!; at < flatStarts![document + 1]!; at++) yield values.get(flat![at]!)
}
