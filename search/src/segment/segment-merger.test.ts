import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bitsFor, setBit } from '../query/bitsets.ts'
import type { IndexSettings, SearchDocument } from '../types.ts'
import { segmentWriter } from './segment-writer.ts'
import { openSegment, type Segment } from './segment-reader.ts'
import { schemaOf } from './schema.ts'

const settings: IndexSettings = {
  language: 'en',
  searchableAttributes: ['title', 'text'],
  exactAttributes: ['ean'],
  attributesForFaceting: ['searchable(brand)', 'tags', 'inStock', 'rating', 'filterOnly(price)', 'sizes'],
  customRanking: ['desc(rating)'],
  sorts: { cheap: 'asc(price)' },
}
const schema = schemaOf(settings)

const word = fc.constantFrom('drill', 'drills', 'drilling', 'saw', 'saws', 'bit', '18v', '4x40', 'hammer', 'hammers', 'wood')
const document = fc.record(
  {
    title: fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')),
    text: fc.array(word, { maxLength: 40 }).map((words) => words.join(' ')),
    ean: fc.constantFrom('400-1', '4002', '4 003'),
    brand: fc.constantFrom('Alto', 'Brisa'),
    tags: fc.array(fc.constantFrom('new', 'local', 'true'), { maxLength: 3 }),
    inStock: fc.boolean(),
    rating: fc.integer({ min: 1, max: 5 }),
    price: fc.double({ min: 0, max: 100, noNaN: true }),
    sizes: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }),
  },
  { requiredKeys: ['title'] },
)

function segmentOf(
  documents: readonly SearchDocument[],
  taken: readonly { segment: Segment; deleted: Uint32Array | null }[] = [],
): Segment {
  const pieces: Buffer[] = []
  const writer = segmentWriter(schema, { write: (json) => void pieces.push(Buffer.from(json)) })
  for (const { segment, deleted } of taken) for (const _ of writer.merge(segment, deleted));
  for (const one of documents) writer.add(one)
  return openSegment(1, writer.seal(), { kind: 'memory', bytes: new Uint8Array(Buffer.concat(pieces)) })
}

/** The contents of a segment, document by document and value by value, independent of its internal numbers. */
function toldBy(segment: Segment) {
  const { meta, stems, postStarts, postDocuments, postCodes, frequencies, fieldLengths, forward, forwardStarts, surfaces, exact } = segment
  const between = (starts: Uint32Array, at: number) => Array.from({ length: starts[at + 1]! - starts[at]! }, (_, i) => starts[at]! + i)
  return {
    ids: Array.from({ length: segment.count }, (_, at) => segment.ids.get(at)),
    documents: Array.from({ length: segment.count }, (_, at) => segment.document(at)),
    lengths: [...fieldLengths],
    totals: meta.totalLengths,
    words: Array.from({ length: segment.count }, (_, at) => between(forwardStarts, at).map((i) => surfaces.get(forward[i]!))),
    postings: Array.from({ length: stems.count }, (_, stem) => [
      stems.get(stem),
      between(postStarts, stem).map((i) => [
        postDocuments[i]!,
        ...frequencies.subarray(postCodes[i]! * meta.fields, (postCodes[i]! + 1) * meta.fields),
      ]),
    ]),
    exact: Array.from({ length: exact.terms.count }, (_, term) => [
      exact.terms.get(term),
      between(exact.starts, term).map((i) => exact.documents[i]),
    ]),
    columns: [...segment.columns].map(([name, column]) => ({
      name,
      meta: column.meta,
      of: Array.from({ length: segment.count }, (_, at) => ({
        values: column.single
          ? [column.single[at]! > 0 ? column.values.get(column.single[at]! - 1) : null]
          : between(column.flatStarts!, at).map((i) => column.values.get(column.flat![i]!)),
        numbers: column.number
          ? [column.number.at(at)]
          : column.numbers
            ? between(column.numberStarts!, at).map((i) => column.numbers![i])
            : [],
      })),
    })),
    sorts: [...segment.sorts],
    surfaces: new Set(Array.from({ length: surfaces.count }, (_, at) => surfaces.get(at))),
  }
}

test('a merged segment has the same contents as one built from the live documents', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(document, fc.boolean(), fc.nat(2)), { maxLength: 60 }),
      fc.array(document, { maxLength: 5 }),
      (given, more) => {
        const documents = given.map(([one, isGone, part], at) => ({ of: { ...one, objectID: `d${at}` }, isGone, part }))
        const added = more.map((one, at) => ({ ...one, objectID: `more${at}` }))
        const parts = [0, 1, 2].map((part) => {
          const own = documents.filter((one) => one.part === part)
          const segment = segmentOf(own.map(({ of }) => of))
          const deleted = bitsFor(segment.count)
          for (const { of, isGone } of own) if (isGone) setBit(deleted, segment.find(of.objectID))
          return { segment, deleted }
        })
        const { surfaces, ...told } = toldBy(segmentOf(added, parts))
        const alive = documents.filter(({ isGone }) => !isGone).map(({ of }) => of)
        const { surfaces: expected, ...rest } = toldBy(segmentOf([...alive, ...added]))
        assert.deepEqual(told, rest)
        // A deleted word may stay known as long as others share its stem.
        assert.ok(expected.isSubsetOf(surfaces))
      },
    ),
    { numRuns: 200 },
  )
})

test('of a repeated document the later copy wins, wherever it comes from', () => {
  const older = segmentOf([{ objectID: 'a', title: 'drill' }])
  const both = segmentOf([{ objectID: 'a', title: 'saw' }], [{ segment: older, deleted: null }])
  assert.equal(both.count, 1)
  assert.deepEqual(both.document(0), { objectID: 'a', title: 'saw' })
  assert.equal(
    both.stems.find('drill') >= 0 && both.postStarts[both.stems.find('drill') + 1]! > both.postStarts[both.stems.find('drill')]!,
    false,
  )
})
