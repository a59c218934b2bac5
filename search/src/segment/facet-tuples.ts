import type { Numbers } from './segment-format.ts'
import type { RowMeta } from './facet-rows.ts'

/**
 * Attributes with correlated values: of all possible combinations of department, family and category few occur. Each one
 * that does is a tuple with a number, and a wide result is counted by tuples first, so that one step counts several
 * facets.
 */
export interface TupleMeta {
  /** The attributes of each group, and the numbers of its tuples: from the first to before the last. */
  groups: { names: string[]; from: number; to: number }[]
}

/** The tuples of a segment, ready to count by. No two have the same number, whatever their group. */
export interface Tuples extends TupleMeta {
  /** Document by document the number of its tuple in each group. */
  codes: Uint16Array
  /** Tuple by tuple the row of a document that has it: near each other, as they are read one after another. */
  rows: Uint8Array
}

/** As many counters as fit into the L1 cache. */
const MOST_TUPLES = 4096
const MOST_GROUPS = 16
/** With fewer documents no result is so wide that tuples pay, and their rows would take as much memory as those of all documents. */
const FEW_DOCUMENTS = 10_000

export function openTuples(section: <T extends Numbers>(name: string) => T, meta: TupleMeta): Tuples {
  return { ...meta, codes: section('tuples'), rows: section('tupleRows') }
}

interface Group {
  names: string[]
  codes: Uint16Array
  tuples: number
}

/** Adds the number of each document's tuple in each group and the row of an example of each tuple. */
export function writeFacetTuples(sections: Map<string, Numbers>, meta: RowMeta | null, count: number): TupleMeta | null {
  if (!meta || count < FEW_DOCUMENTS) return null
  const most = Math.min(MOST_TUPLES, count >>> 3)
  const rows = sections.get('rows') as Uint8Array
  const groups: Group[] = []
  for (const name of Object.keys(meta.slots)) {
    const own = refined({ names: [], codes: new Uint16Array(count), tuples: 1 }, name, rows, meta, most)
    if (!own) continue
    const at = groups.findIndex((group, index) => {
      const both = refined(group, name, rows, meta, most)
      if (both) groups[index] = both
      return both !== null
    })
    if (at < 0 && groups.length < MOST_GROUPS) groups.push(own)
  }
  if (groups.length === 0) return null
  const codes = new Uint16Array(count * groups.length)
  const examples = new Uint32Array(groups.reduce((sum, { tuples }) => sum + tuples, 0))
  let from = 0
  const packed = groups.map((group, at) => {
    for (let document = 0; document < count; document++) {
      const tuple = from + group.codes[document]!
      codes[document * groups.length + at] = tuple
      examples[tuple] = document
    }
    const to = from + group.tuples
    const range = { names: group.names, from, to }
    from = to
    return range
  })
  const { stride } = meta
  const tupleRows = new Uint8Array(examples.length * stride)
  examples.forEach((document, tuple) => tupleRows.set(rows.subarray(document * stride, (document + 1) * stride), tuple * stride))
  sections.set('tuples', codes)
  sections.set('tupleRows', tupleRows)
  return { groups: packed }
}

/** The group with one more attribute; null when there are too many tuples then. */
function refined(group: Group, name: string, rows: Uint8Array, { stride, slots }: RowMeta, most: number): Group | null {
  const { offset, width, repeat } = slots[name]!
  let { codes, tuples } = group
  for (let nth = 0; nth < repeat; nth++) {
    const numbers = new Map<number, number>()
    const next = new Uint16Array(codes.length)
    for (let document = 0; document < codes.length; document++) {
      const place = document * stride + offset + nth * width
      const value = width === 1 ? rows[place]! : rows[place]! | (rows[place + 1]! << 8)
      const key = codes[document]! * 0x10000 + value
      let number = numbers.get(key)
      if (number === undefined) {
        if (numbers.size === most) return null
        numbers.set(key, (number = numbers.size))
      }
      next[document] = number
    }
    codes = next
    tuples = numbers.size
  }
  return { names: [...group.names, name], codes, tuples }
}
