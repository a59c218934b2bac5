import { hasBit } from '../query/bitsets.ts'
import type { DocValuesWriter } from './doc-values.ts'
import type { Segment } from './segment-reader.ts'

/** The parts of a segment writer that the contents of a merged segment go into. */
export interface MergeSink {
  /** Begins a document; returns its number. */
  begin(objectID: string): number
  end(json: Buffer): void
  stemId(stem: string): number
  surfaceId(surface: string, stem: string): number
  /** Number of a combination of frequencies per field. */
  codeOf(frequencies: Uint8Array): number
  post(stem: number, code: number): void
  forward(surface: number): void
  length(words: number): void
  exact(key: string, document: number): void
  columns: DocValuesWriter[]
}

const UNKNOWN = 0xffffffff

const UNTIL_PAUSE = 500

/**
 * Adds the live documents of a segment to a segment writer without analyzing them again: terms, frequencies and values
 * only get new ids. Analyzing the documents again takes three times as long. Yields every 500 documents, so that other
 * work is not held up.
 */
export function* mergeSegment(segment: Segment, deleted: Uint32Array | null, into: MergeSink): Generator<void> {
  const { stems, surfaces, surfaceStem, fieldLengths, meta } = segment
  const newStem = new Uint32Array(stems.count).fill(UNKNOWN)
  const newSurface = new Uint32Array(surfaces.count).fill(UNKNOWN)
  const newCode = codesIn(segment, into)
  const newDocument = new Uint32Array(segment.count).fill(UNKNOWN)
  const postings = byDocument(segment)
  const columns = into.columns.map((column, at) => column.from(segment.columns.get(meta.columns[at]!.name)!))

  function surfaceOf(surface: number): number {
    if (newSurface[surface] === UNKNOWN) newSurface[surface] = into.surfaceId(surfaces.get(surface), stems.get(surfaceStem[surface]!))
    return newSurface[surface]!
  }

  for (let at = 0; at < segment.count; at++) {
    if (deleted && hasBit(deleted, at)) continue
    newDocument[at] = into.begin(segment.ids.get(at))
    for (let i = postings.starts[at]!; i < postings.starts[at + 1]!; i++) {
      const stem = postings.stems[i]!
      if (newStem[stem] === UNKNOWN) newStem[stem] = into.stemId(stems.get(stem))
      into.post(newStem[stem]!, newCode[postings.codes[i]!]!)
    }
    for (let i = segment.forwardStarts[at]!; i < segment.forwardStarts[at + 1]!; i++) into.forward(surfaceOf(segment.forward[i]!))
    for (let field = 0; field < meta.fields; field++) into.length(fieldLengths[at * meta.fields + field]!)
    for (const add of columns) add(at)
    into.end(segment.bytes(at))
    if (at % UNTIL_PAUSE === UNTIL_PAUSE - 1) yield
  }
  // Words that are in no term vector are known by their stems alone; those without live documents are dropped.
  for (let surface = 0; surface < surfaces.count; surface++) if (newStem[surfaceStem[surface]!] !== UNKNOWN) surfaceOf(surface)
  const { terms, starts, documents } = segment.exact
  for (let term = 0; term < terms.count; term++) {
    for (let i = starts[term]!; i < starts[term + 1]!; i++) {
      const document = newDocument[documents[i]!]!
      if (document !== UNKNOWN) into.exact(terms.get(term), document)
    }
  }
}

function codesIn({ frequencies, meta }: Segment, into: MergeSink): Uint32Array {
  const codes = meta.fields === 0 ? 0 : frequencies.length / meta.fields
  return Uint32Array.from({ length: codes }, (_, code) => into.codeOf(frequencies.subarray(code * meta.fields, (code + 1) * meta.fields)))
}

/** The postings of a segment by document: the stems of each document with their codes. */
function byDocument({ count, postStarts, postDocuments, postCodes, stems }: Segment): {
  starts: Uint32Array
  stems: Uint32Array
  codes: Uint32Array
} {
  const starts = new Uint32Array(count + 1)
  for (let i = 0; i < postDocuments.length; i++) starts[postDocuments[i]! + 1]!++
  for (let i = 0; i < count; i++) starts[i + 1]! += starts[i]!
  const cursor = starts.slice(0, count)
  const of = new Uint32Array(postDocuments.length)
  const codes = new Uint32Array(postDocuments.length)
  for (let stem = 0; stem < stems.count; stem++) {
    for (let i = postStarts[stem]!; i < postStarts[stem + 1]!; i++) {
      const slot = cursor[postDocuments[i]!]!++
      of[slot] = stem
      codes[slot] = postCodes[i]!
    }
  }
  return { starts, stems: of, codes }
}
