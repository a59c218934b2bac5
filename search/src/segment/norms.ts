import { growing32 } from './growable-array.ts'
import type { Numbers } from './segment-format.ts'

/** Collects the length of each field in words, by which scores are normalised. */
export interface NormsWriter {
  /** Called once per field of each document, in the order of the schema. */
  add(words: number): void
  /** Returns the words per field over all documents. */
  write(sections: Map<string, Numbers>, order: Uint32Array): number[]
}

export function normsWriter(fields: number): NormsWriter {
  const lengths = growing32()
  return {
    add: (words) => lengths.push(words),
    write(sections, order) {
      const totals = Array.from({ length: fields }, () => 0)
      const fieldLengths = new Uint16Array(order.length * fields)
      order.forEach((document, at) => {
        for (let field = 0; field < fields; field++) {
          const length = lengths.data[document * fields + field]!
          fieldLengths[at * fields + field] = length
          totals[field]! += length
        }
      })
      sections.set('fieldLengths', fieldLengths)
      return totals
    },
  }
}
