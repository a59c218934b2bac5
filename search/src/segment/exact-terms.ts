import type { Numbers } from './segment-format.ts'
import { byCodeUnit, writeTerms } from './term-dictionary.ts'

/** Collects the values of exact attributes (part numbers, EAN) with the documents that have them. */
export interface ExactTermsWriter {
  add(key: string, document: number): void
  /** `place` is where each document is stored; documents in `dead` are left out. */
  write(sections: Map<string, Numbers>, place: Uint32Array, dead: ReadonlySet<number>): void
}

export function exactTermsWriter(): ExactTermsWriter {
  const documentsOf = new Map<string, number[]>()
  return {
    add(key, document) {
      const list = documentsOf.get(key)
      if (!list) documentsOf.set(key, [document])
      else if (list.at(-1) !== document) list.push(document)
    },
    write(sections, place, dead) {
      const keys: string[] = []
      const starts: number[] = [0]
      const documents: number[] = []
      for (const key of [...documentsOf.keys()].sort(byCodeUnit)) {
        const live = documentsOf.get(key)!.filter((document) => !dead.has(document))
        if (live.length === 0) continue
        keys.push(key)
        for (const document of live.map((document) => place[document]!).sort((a, b) => a - b)) documents.push(document)
        starts.push(documents.length)
      }
      writeTerms(sections, 'exact', keys)
      sections.set('exactStarts', Uint32Array.from(starts)).set('exactDocuments', Uint32Array.from(documents))
    },
  }
}
