import { growing32 } from './growable-array.ts'
import type { Numbers } from './segment-format.ts'

/** Number of a document's words, over all fields, whose order is stored for computing proximity. */
export const VECTOR_WORDS = 24

/** Collects the first words of each document, in order. */
export interface TermVectorsWriter {
  add(surface: number): void
  endDocument(): void
  write(sections: Map<string, Numbers>, order: Uint32Array, surfacePlace: Uint32Array): void
}

export function termVectorsWriter(): TermVectorsWriter {
  const surfaces = growing32(256)
  const starts = growing32()
  starts.push(0)
  return {
    add: (surface) => surfaces.push(surface),
    endDocument: () => starts.push(surfaces.length),
    write(sections, order, surfacePlace) {
      const words = new Uint32Array(surfaces.length)
      const wordStarts = new Uint32Array(order.length + 1)
      let at = 0
      order.forEach((document, i) => {
        for (let j = starts.data[document]!; j < starts.data[document + 1]!; j++) words[at++] = surfacePlace[surfaces.data[j]!]!
        wordStarts[i + 1] = at
      })
      sections.set('forward', words.subarray(0, at)).set('forwardStarts', wordStarts)
    },
  }
}
