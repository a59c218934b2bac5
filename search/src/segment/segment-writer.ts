import { analyzerFor, type Analyzer } from '../analysis/analyzer.ts'
import type { KnownWord } from '../analysis/compound-words.ts'
import { bare } from '../analysis/fold.ts'
import { SearchRequestError, type SearchDocument } from '../types.ts'
import { writeCompounds } from './compound-terms.ts'
import { docValuesWriter, type DocValuesWriter } from './doc-values.ts'
import { documentInverter, type InvertedTo } from './document-inverter.ts'
import { exactTermsWriter, type ExactTermsWriter } from './exact-terms.ts'
import { writeVarying } from './document-groups.ts'
import { writeFacetRows } from './facet-rows.ts'
import { writeFacetTuples } from './facet-tuples.ts'
import { sortIndex, writeSortOrders } from './index-sort.ts'
import { normsWriter } from './norms.ts'
import { postingsWriter } from './postings-writer.ts'
import { valuesAt, type Scalar, type Schema } from './schema.ts'
import { pack, type Numbers } from './segment-format.ts'
import { mergeSegment, type MergeSink } from './segment-merger.ts'
import type { SegmentMeta } from './segment-meta.ts'
import type { Segment } from './segment-reader.ts'
import { storedFieldsWriter, type DocumentSink, type StoredFieldsWriter } from './stored-fields.ts'
import { writeLookup, writeStrings } from './string-table.ts'
import { termVectorsWriter } from './term-vectors.ts'
import { termsWriter } from './terms-writer.ts'

/** Turns documents into one immutable segment. */
export interface SegmentWriter {
  /** Number of documents so far; of copies of one document the last wins. */
  readonly count: number
  /** Adds a document. `json` is its stored form. @throws SearchRequestError without an `objectID` */
  add(document: SearchDocument, json?: Buffer): void
  /** Adds the live documents of a segment with the same schema, without parsing them; done when the iterator ends. */
  merge(segment: Segment, deleted: Uint32Array | null): Iterable<void>
  /** The segment as one block of shared memory. The writer is spent. `isKnown` knows words of other segments, for compounds; `documents` describes the file that the sink wrote. */
  seal(isKnown?: KnownWord, documents?: SegmentMeta['documents']): SharedArrayBuffer
}

/** The writers of the parts of a segment. */
interface Parts extends InvertedTo {
  exact: ExactTermsWriter
  columns: DocValuesWriter[]
  stored: StoredFieldsWriter
}

/** Documents by number, in order of arrival. */
interface Numbering {
  ids: string[]
  /** Documents replaced by a later copy. */
  dead: Set<number>
  /** Gives the next document its number. */
  begin(objectID: string): number
}

export function segmentWriter(schema: Schema, sink: DocumentSink): SegmentWriter {
  const analyzer = analyzerFor(schema.language)
  const parts: Parts = {
    terms: termsWriter(),
    postings: postingsWriter(schema.fields.length),
    norms: normsWriter(schema.fields.length),
    vectors: termVectorsWriter(),
    exact: exactTermsWriter(),
    columns: schema.columns.map(docValuesWriter),
    stored: storedFieldsWriter(sink),
  }
  const numbering = newNumbering()
  const invert = documentInverter(schema, analyzer, parts)
  const addValues = valuesAdder(schema, parts)

  function end(json: Buffer): void {
    parts.postings.endDocument()
    parts.vectors.endDocument()
    parts.stored.add(json)
  }

  return {
    get count() {
      return numbering.ids.length - numbering.dead.size
    },
    add(document, json = Buffer.from(JSON.stringify(document))) {
      if (typeof document.objectID !== 'string' || document.objectID === '')
        throw new SearchRequestError('a document needs an objectID, a non-empty string')
      const number = numbering.begin(document.objectID)
      invert(document)
      addValues(document, number)
      end(json)
    },
    merge: (segment, deleted) => mergeSegment(segment, deleted, mergeSink(parts, numbering, end)),
    seal: (isKnown = () => false, documents = null) => seal({ schema, analyzer, parts, numbering, isKnown, documents }),
  }
}

function newNumbering(): Numbering {
  const ids: string[] = []
  const dead = new Set<number>()
  const last = new Map<string, number>()
  return {
    ids,
    dead,
    begin(objectID) {
      const number = ids.length
      const older = last.get(objectID)
      if (older !== undefined) dead.add(older)
      last.set(objectID, number)
      ids.push(objectID)
      return number
    },
  }
}

/** Adds the doc values and exact terms of a document. */
function valuesAdder(schema: Schema, { columns, exact }: Parts): (document: SearchDocument, number: number) => void {
  const values: Scalar[] = []
  return (document, number) => {
    for (let i = 0; i < columns.length; i++) {
      values.length = 0
      columns[i]!.add(valuesAt(document, schema.columns[i]!.name, values))
    }
    for (const attribute of schema.exact) {
      values.length = 0
      for (const value of valuesAt(document, attribute, values)) {
        const key = bare(String(value))
        if (key !== '') exact.add(key, number)
      }
    }
  }
}

function mergeSink(
  { terms, postings, vectors, norms, exact, columns }: Parts,
  { begin }: Numbering,
  end: (json: Buffer) => void,
): MergeSink {
  return {
    begin,
    end,
    stemId: terms.stemId,
    surfaceId: terms.surfaceId,
    codeOf: postings.codeOf,
    post: postings.add,
    forward: vectors.add,
    length: norms.add,
    exact: exact.add,
    columns,
  }
}

interface Sealing {
  schema: Schema
  analyzer: Analyzer
  parts: Parts
  numbering: Numbering
  isKnown: KnownWord
  documents: SegmentMeta['documents']
}

function seal({ schema, analyzer, parts, numbering, isKnown, documents }: Sealing): SharedArrayBuffer {
  const { ids, dead } = numbering
  const sections = new Map<string, Numbers>()
  const order = sortIndex({ schema, columns: parts.columns, ids, dead }, sections)
  const terms = parts.terms.write(sections)
  parts.postings.write(sections, order, terms.stemPlace)
  parts.vectors.write(sections, order, terms.surfacePlace)
  const totalLengths = parts.norms.write(sections, order)
  const columns = parts.columns.map((column, at) => column.pack(sections, `c${at}`, order))
  const rows = writeFacetRows(sections, columns, order.length)
  const tuples = writeFacetTuples(sections, rows, order.length)
  const isGrouped = sections.has('groups')
  if (isGrouped) writeVarying(columns, rows, sections)
  writeSortOrders({ schema, columns: parts.columns }, order, sections)
  const place = new Uint32Array(ids.length)
  order.forEach((document, at) => (place[document] = at))
  parts.exact.write(sections, place, dead)
  const orderedIds = Array.from(order, (document) => ids[document]!)
  writeStrings(sections, 'ids', orderedIds)
  writeLookup(sections, 'ids', orderedIds)
  parts.stored.write(sections, order)
  const hasCompounds = schema.language === 'de'
  if (hasCompounds) writeCompounds(sections, terms, analyzer, isKnown)
  const meta: SegmentMeta = {
    count: order.length,
    fields: schema.fields.length,
    totalLengths,
    columns,
    sorts: schema.sorts.map((sort) => sort.name),
    compounds: hasCompounds,
    rows,
    tuples,
    isArranged: sections.has('ranks'),
    isGrouped,
    documents,
  }
  return pack(meta, sections)
}
