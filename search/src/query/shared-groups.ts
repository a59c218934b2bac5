import type { Segment } from '../segment/segment-reader.ts'
import { groupOf } from './group-of.ts'
import type { Part } from './snapshot.ts'

/**
 * Groups with documents in several segments, such as a model of which one product has changed. Per part and group, a number that
 * is the same in all parts, or -1 when the group is in this part alone; null for a part without such groups.
 */
export type SharedGroups = readonly (Int32Array | null)[]

/** Groups that two segments share: number in the first, number in the second, and so on. */
type Pairs = number[]
const pairsOf = new WeakMap<Segment, WeakMap<Segment, { attribute: string; pairs: Pairs }>>()
const latest = new WeakMap<Segment, { attribute: string; segments: Segment[]; shared: SharedGroups }>()

/** Computed once per combination of segments; what two segments share is known as long as both are. */
export function sharedGroups(parts: readonly Part[], attribute: string): SharedGroups {
  const first = parts[0]?.segment
  if (!first || parts.length === 1) return parts.map(() => null)
  const known = latest.get(first)
  if (
    known?.attribute === attribute &&
    known.segments.length === parts.length &&
    known.segments.every((one, at) => one === parts[at]!.segment)
  )
    return known.shared
  const shared: (Int32Array | null)[] = parts.map(() => null)
  const numbersOf = (part: number): Int32Array => (shared[part] ??= new Int32Array(parts[part]!.segment.groups!.starts.length - 1).fill(-1))
  let next = 0
  for (let part = 1; part < parts.length; part++) {
    for (let earlier = 0; earlier < part; earlier++) {
      const pairs = pairsBetween(parts[earlier]!, parts[part]!, attribute)
      for (let at = 0; at < pairs.length; at += 2) {
        const there = numbersOf(earlier)
        const here = numbersOf(part)
        const [one, other] = [pairs[at]!, pairs[at + 1]!]
        // A group that both have had from a third part already has one number.
        const number = there[one]! >= 0 ? there[one]! : here[other]! >= 0 ? here[other]! : next++
        there[one] = number
        here[other] = number
      }
    }
  }
  latest.set(first, { attribute, segments: parts.map(({ segment }) => segment), shared })
  return shared
}

function pairsBetween(one: Part, other: Part, attribute: string): Pairs {
  let known = pairsOf.get(one.segment)
  if (!known) pairsOf.set(one.segment, (known = new WeakMap()))
  const found = known.get(other.segment)
  if (found?.attribute === attribute) return found.pairs
  const isSmaller = one.segment.count < other.segment.count
  const [small, large] = isSmaller ? [one, other] : [other, one]
  const numberIn = groupFinder(large, attribute)
  const pairs: Pairs = []
  const { starts } = small.segment.groups!
  for (let group = 0; group + 1 < starts.length; group++) {
    const name = groupOf(small, starts[group]!, attribute)
    const match = name === null ? -1 : numberIn(name)
    if (match >= 0) pairs.push(isSmaller ? group : match, isSmaller ? match : group)
  }
  known.set(other.segment, { attribute, pairs })
  return pairs
}

/** Finds the number of a group by its value, or -1. */
function groupFinder(part: Part, attribute: string): (name: string) => number {
  const { segment } = part
  const column = segment.columns.get(attribute)
  const { of, starts } = segment.groups!
  if (!column) return () => -1
  if (column.values.count === 0) {
    // Numbers have no table of values.
    const byName = new Map<string | null, number>()
    for (let group = 0; group + 1 < starts.length; group++) byName.set(groupOf(part, starts[group]!, attribute), group)
    return (name) => byName.get(name) ?? -1
  }
  return (name) => {
    const value = column.find(name)
    if (value < 0) return -1
    for (let at = column.documentStarts[value]!; at < column.documentStarts[value + 1]!; at++) {
      const document = column.documents[at]!
      if (column.single || groupOf(part, document, attribute) === name) return of[document]!
    }
    return -1
  }
}
