import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type { SearchDocument } from '../types.ts'
import { openColumn, type Column } from './doc-values.ts'
import { openGroups, type DocumentGroups } from './document-groups.ts'
import { documentCache } from './document-cache.ts'
import { unpack, type Numbers } from './segment-format.ts'
import type { SegmentMeta } from './segment-meta.ts'
import { openLookup, openStrings, type StringTable } from './string-table.ts'
import { openTerms, type TermDictionary } from './term-dictionary.ts'
import { openTrie, type Trie } from './term-trie.ts'
import { openTuples, type Tuples } from './facet-tuples.ts'

/** The documents of a segment: in memory while live, in a file once written. */
export type DocumentBytes = { kind: 'memory'; bytes: Uint8Array } | { kind: 'file'; path: string }

/** An immutable part of an index, ready to be searched. */
export interface Segment {
  id: number
  count: number
  meta: SegmentMeta
  surfaces: TermDictionary
  trie: Trie
  surfaceStem: Uint32Array
  stems: TermDictionary
  postStarts: Uint32Array
  postDocuments: Uint32Array
  postCodes: Uint8Array | Uint16Array | Uint32Array
  /** Frequency per code and field. */
  frequencies: Uint8Array
  fieldLengths: Uint16Array
  forward: Uint32Array
  forwardStarts: Uint32Array
  parts: { terms: TermDictionary; starts: Uint32Array; compounds: Uint32Array } | null
  exact: { terms: TermDictionary; starts: Uint32Array; documents: Uint32Array }
  columns: Map<string, Column>
  sorts: Map<string, Uint32Array>
  /** Position of each document in custom-ranking order; null when they are stored in it. */
  ranks: Uint32Array | null
  /** Values of countable attributes, document by document; see `meta.rows`. */
  rows: Uint8Array | null
  tuples: Tuples | null
  /** Null without `attributeForDistinct`. */
  groups: DocumentGroups | null
  ids: StringTable
  /** Position of a document by its objectID, or -1. */
  find(objectID: string): number
  json(document: number): string
  /** A document as stored, in UTF-8. */
  bytes(document: number): Buffer
  document(document: number): SearchDocument
  /** The block itself, to hand to another thread. */
  buffer: SharedArrayBuffer
  source: DocumentBytes
  close(): void
}

/** Opens a segment on its block: every part is a view, nothing is copied. */
export function openSegment(id: number, buffer: SharedArrayBuffer, source: DocumentBytes): Segment {
  const { meta, section } = unpack<SegmentMeta>(buffer)
  const surfaces = openTerms(section, 'surfaces')
  const ids = openStrings(section, 'ids', false)
  return {
    id,
    count: meta.count,
    meta,
    surfaces,
    trie: openTrie(section, 'surfaces', surfaces),
    surfaceStem: section('surfaceStem'),
    stems: openTerms(section, 'stems'),
    postStarts: section('postStarts'),
    postDocuments: section('postDocuments'),
    postCodes: section('postCodes'),
    frequencies: section('frequencies'),
    fieldLengths: section('fieldLengths'),
    forward: section('forward'),
    forwardStarts: section('forwardStarts'),
    parts: meta.compounds
      ? { terms: openTerms(section, 'parts'), starts: section('partStarts'), compounds: section('partCompounds') }
      : null,
    exact: { terms: openTerms(section, 'exact'), starts: section('exactStarts'), documents: section('exactDocuments') },
    columns: new Map(meta.columns.map((column, at) => [column.name, openColumn(section, `c${at}`, column, meta.count)])),
    sorts: new Map(meta.sorts.map((name, at) => [name, section<Uint32Array>(`s${at}`)])),
    ranks: meta.isArranged ? section('ranks') : null,
    rows: meta.rows ? section('rows') : null,
    tuples: meta.tuples ? openTuples(section, meta.tuples) : null,
    groups: meta.isGrouped ? openGroups(section) : null,
    ids,
    find: openLookup(section, 'ids', ids),
    ...openStoredFields(section, source),
    buffer,
    source,
  }
}

type StoredFields = Pick<Segment, 'bytes' | 'json' | 'document' | 'close'>

function openStoredFields(section: <T extends Numbers>(name: string) => T, source: DocumentBytes): StoredFields {
  const starts = section<Float64Array>('jsonStarts')
  const lengths = section<Uint32Array>('jsonLengths')
  const inMemory =
    source.kind === 'memory' ? Buffer.from(source.bytes.buffer as ArrayBuffer, source.bytes.byteOffset, source.bytes.length) : null
  const file = source.kind === 'file' ? openSync(source.path, 'r') : -1
  const cache = documentCache()

  function bytes(document: number): Buffer {
    const start = starts[document]!
    const length = lengths[document]!
    if (inMemory) return inMemory.subarray(start, start + length)
    const piece = Buffer.allocUnsafe(length)
    readSync(file, piece, 0, length, start)
    return piece
  }

  return {
    bytes,
    json: (document) => bytes(document).toString('utf8'),
    document(at) {
      const known = cache.get(at)
      if (known) return known
      const read = bytes(at)
      const document = JSON.parse(read.toString('utf8')) as SearchDocument
      cache.set(at, document, read.length)
      return document
    },
    close() {
      cache.clear()
      if (file >= 0) closeSync(file)
    },
  }
}

/** Documents of a file in memory when they are no more than `limit` bytes, otherwise read one by one. */
export function documentSource(path: string, limit: number): DocumentBytes {
  if (statSync(path).size > limit) return { kind: 'file', path }
  return { kind: 'memory', bytes: new Uint8Array(readShared(path)) }
}

/** Reads a whole file into shared memory. */
export function readShared(path: string): SharedArrayBuffer {
  const file = openSync(path, 'r')
  try {
    const size = fstatSync(file).size
    const buffer = new SharedArrayBuffer(size)
    const view = new Uint8Array(buffer)
    let at = 0
    while (at < size) {
      const read = readSync(file, view, at, Math.min(size - at, 1 << 30), at)
      if (read === 0) throw new Error(`${path} is shorter than its header states`)
      at += read
    }
    return buffer
  } finally {
    closeSync(file)
  }
}
