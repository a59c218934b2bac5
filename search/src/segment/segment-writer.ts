import { analyzerFor, type Token } from '../analysis/analyzer.ts'
import { bare } from '../analysis/fold.ts'
import type { SearchDocument } from '../types.ts'
import { SearchRequestError } from '../types.ts'
import { arrange } from './index-sort.ts'
import { docValuesWriter, compareSortValues } from './doc-values.ts'
import { compoundParts, type KnownWord } from '../analysis/compound-words.ts'
import { growing32 } from './growable-array.ts'
import { narrow, pack, type Numbers } from './segment-format.ts'
import type { SegmentMeta } from './segment-meta.ts'
import { writeFacetRows } from './facet-rows.ts'
import { valuesAt, type Scalar, type Schema, type SortKey } from './schema.ts'
import type { Segment } from './segment-reader.ts'
import { writeLookup, writeStrings } from './string-table.ts'
import { mergeSegment, type MergeSink } from './segment-merger.ts'
import { byCodeUnit, writeTerms } from './term-dictionary.ts'
import { writeTrie } from './term-trie.ts'
import { writeFacetTuples } from './facet-tuples.ts'

/** A field's frequency in a document is counted to 31: five bits, ten fields in one number. */
const TF_BASE = 32
const FORWARD_TOKENS = 24
const MAX_TOKENS_PER_FIELD = 10_000

/** Where a builder puts the documents themselves, in the order they come. */
export interface DocumentSink {
  write(json: Buffer): void
}

export interface SegmentWriter {
  readonly count: number
  add(document: SearchDocument, json?: Buffer): void
  /** Takes over what is alive in a segment of the same schema, without reading its documents; done when walked through. */
  take(segment: Segment, deleted: Uint32Array | null): Iterable<void>
  /** One block of shared memory; the builder is spent. */
  seal(known?: KnownWord): SharedArrayBuffer
}

/** Turns documents into one immutable segment. */
export function segmentWriter(schema: Schema, sink: DocumentSink): SegmentWriter {
  const analyzer = analyzerFor(schema.language)
  const powers = schema.fields.map((_, index) => TF_BASE ** index)
  const surfaces = new Map<string, number>()
  const surfaceStems = growing32()
  const stems = new Map<string, number>()
  const vectors = new Map<number, number>()
  const packed: number[] = []
  const postStems = growing32(1024)
  const postCodes = growing32(1024)
  const postStarts = growing32()
  const lengths = growing32()
  const forward = growing32(256)
  const forwardStarts = growing32()
  const exact = new Map<string, number[]>()
  const columns = schema.columns.map(docValuesWriter)
  const ids: string[] = []
  const local = new Map<string, number>()
  const dead = new Set<number>()
  const jsonStarts: number[] = []
  const jsonLengths: number[] = []
  const scratch: Scalar[] = []
  let jsonAt = 0
  postStarts.push(0)
  forwardStarts.push(0)

  function stemId(stem: string): number {
    let id = stems.get(stem)
    if (id === undefined) {
      stems.set(stem, (id = stems.size))
      packed.push(0)
    }
    return id
  }

  function surfaceId(surface: string, stem: string): number {
    let id = surfaces.get(surface)
    if (id === undefined) {
      surfaces.set(surface, (id = surfaces.size))
      surfaceStems.push(stemId(stem))
    }
    return id
  }

  function count(stem: number, field: number, touched: number[]): void {
    const before = packed[stem]!
    if (before === 0) touched.push(stem)
    if (Math.floor(before / powers[field]!) % TF_BASE < TF_BASE - 1) packed[stem] = before + powers[field]!
  }

  function addToken(token: Token, field: number, touched: number[], isForward: boolean): void {
    const surface = surfaceId(token.surface, token.stem)
    count(surfaceStems.data[surface]!, field, touched)
    if (isForward) forward.push(surface)
    if (token.also) for (const term of token.also) count(surfaceStems.data[surfaceId(term, term)]!, field, touched)
  }

  function addText(document: SearchDocument, touched: number[]): void {
    const stop = forward.length + FORWARD_TOKENS
    for (let field = 0; field < schema.fields.length; field++) {
      scratch.length = 0
      let length = 0
      for (const value of valuesAt(document, schema.fields[field]!.name, scratch)) {
        for (const token of analyzer.analyze(String(value))) {
          if (token.isStopWord || length >= MAX_TOKENS_PER_FIELD) continue
          length++
          addToken(token, field, touched, forward.length < stop)
        }
      }
      lengths.push(length)
    }
  }

  function begin(objectID: string): number {
    const index = ids.length
    const older = local.get(objectID)
    if (older !== undefined) dead.add(older)
    local.set(objectID, index)
    ids.push(objectID)
    return index
  }

  function end(json: Buffer): void {
    postStarts.push(postStems.length)
    forwardStarts.push(forward.length)
    jsonStarts.push(jsonAt)
    jsonLengths.push(json.length)
    jsonAt += json.length
    sink.write(json)
  }

  function post(stem: number, code: number): void {
    postStems.push(stem)
    postCodes.push(code)
  }

  function codeOf(vector: number): number {
    let code = vectors.get(vector)
    if (code === undefined) vectors.set(vector, (code = vectors.size))
    return code
  }

  function addExact(key: string, index: number): void {
    const list = exact.get(key)
    if (!list) exact.set(key, [index])
    else if (list.at(-1) !== index) list.push(index)
  }

  function add(document: SearchDocument, json: Buffer = Buffer.from(JSON.stringify(document))): void {
    if (typeof document.objectID !== 'string' || document.objectID === '')
      throw new SearchRequestError('a document needs an objectID, a text that is not empty')
    const index = begin(document.objectID)
    const touched: number[] = []
    addText(document, touched)
    for (const stem of touched) {
      post(stem, codeOf(packed[stem]!))
      packed[stem] = 0
    }
    for (let i = 0; i < columns.length; i++) {
      scratch.length = 0
      columns[i]!.add(valuesAt(document, schema.columns[i]!.name, scratch))
    }
    for (const attribute of schema.exact) {
      scratch.length = 0
      for (const value of valuesAt(document, attribute, scratch)) {
        const key = bare(String(value))
        if (key !== '') addExact(key, index)
      }
    }
    end(json)
  }

  const intake: MergeSink = {
    begin,
    end,
    stemId,
    surfaceId,
    codeOf: (frequencies) => codeOf(frequencies.reduce((vector, frequency, field) => vector + frequency * powers[field]!, 0)),
    post,
    forward: (surface) => forward.push(surface),
    length: (words) => lengths.push(words),
    exact: addExact,
    columns,
  }

  function orderBy(keys: SortKey[]): (a: number, b: number) => number {
    const sorted = keys.map((key) => ({
      column: columns[schema.columns.findIndex((column) => column.name === key.attribute)]!,
      descending: key.descending,
    }))
    return (a, b) => {
      for (const { column, descending } of sorted) {
        const order = compareSortValues(column.sortValue(a), column.sortValue(b), descending)
        if (order !== 0) return order
      }
      return 0
    }
  }

  function seal(known: KnownWord = () => false): SharedArrayBuffer {
    const sections = new Map<string, Numbers>()
    const ranked = orderBy(schema.ranking)
    const live = ids.map((_, index) => index).filter((index) => !dead.has(index))
    const best = Uint32Array.from(live.sort((a, b) => ranked(a, b) || byCodeUnit(ids[a]!, ids[b]!)))
    const order = arrange(best, columns, sections)
    const rankOf = sections.get('ranks')
    const place = new Uint32Array(ids.length)
    order.forEach((document, at) => (place[document] = at))

    const sortedStems = [...stems.keys()].sort(byCodeUnit)
    const newStem = new Uint32Array(sortedStems.length)
    sortedStems.forEach((stem, at) => (newStem[stems.get(stem)!] = at))
    const sortedSurfaces = [...surfaces.keys()].sort(byCodeUnit)
    const newSurface = new Uint32Array(sortedSurfaces.length)
    const surfaceStem = new Uint32Array(sortedSurfaces.length)
    sortedSurfaces.forEach((surface, at) => {
      const old = surfaces.get(surface)!
      newSurface[old] = at
      surfaceStem[at] = newStem[surfaceStems.data[old]!]!
    })
    writeTerms(sections, 'stems', sortedStems)
    writeTerms(sections, 'surfaces', sortedSurfaces)
    writeTrie(sections, 'surfaces', sortedSurfaces)
    sections.set('surfaceStem', surfaceStem)

    packPostings(sections, order, newStem)
    packForward(sections, order, newSurface)
    const fields = schema.fields.length
    const totalLengths = new Array<number>(fields).fill(0)
    const fieldLengths = new Uint16Array(order.length * fields)
    order.forEach((document, at) => {
      for (let field = 0; field < fields; field++) {
        const length = lengths.data[document * fields + field]!
        fieldLengths[at * fields + field] = length
        totalLengths[field]! += length
      }
    })
    sections.set('fieldLengths', fieldLengths)

    const metas = columns.map((column, at) => column.pack(sections, `c${at}`, order))
    const rows = writeFacetRows(sections, metas, order.length)
    const tuples = writeFacetTuples(sections, rows, order.length)
    schema.sorts.forEach((sort, at) => {
      const compare = orderBy(sort.keys)
      const ranks = new Uint32Array(order.length)
      Array.from(order, (_, i) => i)
        .sort((a, b) => compare(order[a]!, order[b]!) || (rankOf ? rankOf[a]! - rankOf[b]! : a - b))
        .forEach((document, rank) => (ranks[document] = rank))
      sections.set(`s${at}`, ranks)
    })
    packExact(sections, place)
    const orderedIds = Array.from(order, (document) => ids[document]!)
    writeStrings(sections, 'ids', orderedIds)
    writeLookup(sections, 'ids', orderedIds)
    sections.set(
      'jsonStarts',
      Float64Array.from(order, (document) => jsonStarts[document]!),
    )
    sections.set(
      'jsonLengths',
      Uint32Array.from(order, (document) => jsonLengths[document]!),
    )
    const compounds = schema.language === 'de' && packCompounds(sections, sortedSurfaces, sortedStems, known)
    const meta: SegmentMeta = {
      count: order.length,
      fields,
      totalLengths,
      columns: metas,
      sorts: schema.sorts.map((sort) => sort.name),
      compounds,
      rows,
      tuples,
      isArranged: rankOf !== undefined,
    }
    return pack(meta, sections)
  }

  /** Documents per stem, in document order, each with the code of its frequencies per field. */
  function packPostings(sections: Map<string, Numbers>, order: Uint32Array, newStem: Uint32Array): void {
    const starts = new Uint32Array(newStem.length + 1)
    for (const document of order) {
      for (let i = postStarts.data[document]!; i < postStarts.data[document + 1]!; i++) starts[newStem[postStems.data[i]!]! + 1]!++
    }
    for (let i = 0; i < newStem.length; i++) starts[i + 1]! += starts[i]!
    const total = starts[newStem.length]!
    const documents = new Uint32Array(total)
    const codes = narrow(total, vectors.size)
    const cursor = starts.slice(0, newStem.length)
    for (let at = 0; at < order.length; at++) {
      const document = order[at]!
      for (let i = postStarts.data[document]!; i < postStarts.data[document + 1]!; i++) {
        const slot = cursor[newStem[postStems.data[i]!]!]!++
        documents[slot] = at
        codes[slot] = postCodes.data[i]!
      }
    }
    const frequencies = new Uint8Array(vectors.size * powers.length)
    for (const [vector, code] of vectors) {
      for (let field = 0; field < powers.length; field++)
        frequencies[code * powers.length + field] = Math.floor(vector / powers[field]!) % TF_BASE
    }
    sections.set('postStarts', starts).set('postDocuments', documents).set('postCodes', codes).set('frequencies', frequencies)
  }

  function packForward(sections: Map<string, Numbers>, order: Uint32Array, newSurface: Uint32Array): void {
    const starts = new Uint32Array(order.length + 1)
    const words = new Uint32Array(forward.length)
    let at = 0
    order.forEach((document, i) => {
      for (let j = forwardStarts.data[document]!; j < forwardStarts.data[document + 1]!; j++) words[at++] = newSurface[forward.data[j]!]!
      starts[i + 1] = at
    })
    sections.set('forward', words.subarray(0, at)).set('forwardStarts', starts)
  }

  function packExact(sections: Map<string, Numbers>, place: Uint32Array): void {
    const keys: string[] = []
    const starts: number[] = [0]
    const documents: number[] = []
    for (const key of [...exact.keys()].sort(byCodeUnit)) {
      const living = exact.get(key)!.filter((document) => !dead.has(document))
      if (living.length === 0) continue
      keys.push(key)
      for (const document of living.map((document) => place[document]!).sort((a, b) => a - b)) documents.push(document)
      starts.push(documents.length)
    }
    writeTerms(sections, 'exact', keys)
    sections.set('exactStarts', Uint32Array.from(starts)).set('exactDocuments', Uint32Array.from(documents))
  }

  /** For each part of a compound, the compounds it stands in: "schrauber" leads to "akkuschrauber". */
  function packCompounds(sections: Map<string, Numbers>, surfaces: string[], sortedStems: string[], known: KnownWord): boolean {
    const own = new Set(surfaces)
    const isKnown = (word: string) => own.has(word) || known(word)
    const stemAt = new Map(sortedStems.map((stem, at) => [stem, at]))
    const table = new Map<string, number[]>()
    for (const surface of surfaces) {
      const parts = compoundParts(surface, isKnown)
      if (!parts) continue
      const compound = stemAt.get(analyzer.stem(surface))
      if (compound === undefined) continue
      parts.forEach((part, i) => {
        // Even numbers are heads (the last part, what the thing is), odd ones modifiers.
        const entry = compound * 2 + (i === parts.length - 1 ? 0 : 1)
        const stem = analyzer.stem(part)
        const list = table.get(stem)
        if (!list) table.set(stem, [entry])
        else if (!list.includes(entry)) list.push(entry)
      })
    }
    const parts = [...table.keys()].sort(byCodeUnit)
    writeTerms(sections, 'parts', parts)
    const starts = [0]
    const entries: number[] = []
    for (const part of parts) {
      entries.push(...table.get(part)!)
      starts.push(entries.length)
    }
    sections.set('partStarts', Uint32Array.from(starts)).set('partCompounds', Uint32Array.from(entries))
    return true
  }

  return {
    get count() {
      return ids.length - dead.size
    },
    add,
    take: (segment, deleted) => mergeSegment(segment, deleted, intake),
    seal,
  }
}
