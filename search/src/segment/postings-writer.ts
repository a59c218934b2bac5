import { growing32 } from './growable-array.ts'
import { narrow, type Numbers } from './segment-format.ts'

/** A field's frequency in a document is counted to 31: five bits, ten fields in one number. */
const TF_BASE = 32

/**
 * Collects postings document by document and writes them term by term. The frequencies of a term in the fields of a
 * document is one number, and the distinct numbers of a segment get codes: a posting is a document and a code.
 */
export interface PostingsWriter {
  /** Counts one occurrence of a term in the current document. */
  count(stem: number, field: number): void
  /** Adds a posting of the current document with known frequencies. */
  add(stem: number, code: number): void
  /** The code of a combination of frequencies, one per field. */
  codeOf(frequencies: Uint8Array): number
  endDocument(): void
  write(sections: Map<string, Numbers>, order: Uint32Array, stemPlace: Uint32Array): void
}

export function postingsWriter(fields: number): PostingsWriter {
  const powers = Array.from({ length: fields }, (_, field) => TF_BASE ** field)
  const codes = new Map<number, number>()
  const postings: Postings = { stems: growing32(1024), codes: growing32(1024), starts: growing32() }
  /** By term, the frequencies in the current document; 0 for absent terms. */
  const counted: number[] = []
  const touched: number[] = []
  postings.starts.push(0)

  function codeOf(frequencies: number): number {
    let code = codes.get(frequencies)
    if (code === undefined) codes.set(frequencies, (code = codes.size))
    return code
  }

  function add(stem: number, code: number): void {
    postings.stems.push(stem)
    postings.codes.push(code)
  }

  return {
    count(stem, field) {
      while (counted.length <= stem) counted.push(0)
      const before = counted[stem]!
      if (before === 0) touched.push(stem)
      if (Math.floor(before / powers[field]!) % TF_BASE < TF_BASE - 1) counted[stem] = before + powers[field]!
    },
    add,
    codeOf: (frequencies) => codeOf(frequencies.reduce((sum, frequency, field) => sum + frequency * powers[field]!, 0)),
    endDocument() {
      for (const stem of touched) {
        add(stem, codeOf(counted[stem]!))
        counted[stem] = 0
      }
      touched.length = 0
      postings.starts.push(postings.stems.length)
    },
    write(sections, order, stemPlace) {
      writePostings(sections, postings, { order, stemPlace, codes: codes.size })
      const frequencies = new Uint8Array(codes.size * fields)
      for (const [packed, code] of codes) {
        for (let field = 0; field < fields; field++) frequencies[code * fields + field] = Math.floor(packed / powers[field]!) % TF_BASE
      }
      sections.set('frequencies', frequencies)
    },
  }
}

/** The postings by document: `starts[document]` is the first of a document. */
interface Postings {
  stems: ReturnType<typeof growing32>
  codes: ReturnType<typeof growing32>
  starts: ReturnType<typeof growing32>
}

/** Inverts the postings: documents per term, in document order, each with its code. */
function writePostings(
  sections: Map<string, Numbers>,
  { stems, codes, starts }: Postings,
  { order, stemPlace, codes: differentCodes }: { order: Uint32Array; stemPlace: Uint32Array; codes: number },
): void {
  const termStarts = new Uint32Array(stemPlace.length + 1)
  for (const document of order) {
    for (let i = starts.data[document]!; i < starts.data[document + 1]!; i++) termStarts[stemPlace[stems.data[i]!]! + 1]!++
  }
  for (let i = 0; i < stemPlace.length; i++) termStarts[i + 1]! += termStarts[i]!
  const total = termStarts[stemPlace.length]!
  const termDocuments = new Uint32Array(total)
  const termCodes = narrow(total, differentCodes)
  const cursor = termStarts.slice(0, stemPlace.length)
  for (let at = 0; at < order.length; at++) {
    const document = order[at]!
    for (let i = starts.data[document]!; i < starts.data[document + 1]!; i++) {
      const slot = cursor[stemPlace[stems.data[i]!]!]!++
      termDocuments[slot] = at
      termCodes[slot] = codes.data[i]!
    }
  }
  sections.set('postStarts', termStarts).set('postDocuments', termDocuments).set('postCodes', termCodes)
}
