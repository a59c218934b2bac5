import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Numbers } from './segment-format.ts'
import type { RowMeta } from './facet-rows.ts'
import { tallyFacets } from './facet-tally.ts'
import { openTuples, writeFacetTuples, type Tuples } from './facet-tuples.ts'

const meta: RowMeta = {
  stride: 8,
  slots: {
    department: { offset: 0, width: 1, repeat: 1 },
    category: { offset: 1, width: 1, repeat: 1 },
    brand: { offset: 2, width: 2, repeat: 1 },
    sellers: { offset: 4, width: 1, repeat: 3 },
    rating: { offset: 7, width: 1, repeat: 1 },
  },
}
const values: Record<string, number> = { department: 10, category: 100, brand: 600, sellers: 20, rating: 5 }
const count = 40_000

/** Rows in which the department follows from the category, and little else correlates. */
function madeRows(): Uint8Array {
  const rows = new Uint8Array(count * meta.stride)
  for (let document = 0; document < count; document++) {
    const at = document * meta.stride
    const category = (Math.imul(document, 2654435761) >>> 7) % 101
    const brand = (Math.imul(document, 40503) >>> 3) % 601
    rows.set([category === 0 ? 0 : 1 + (category % 10), category, brand & 0xff, brand >>> 8], at)
    for (let nth = 0; nth < document % 4; nth++) rows[at + 4 + nth] = 1 + ((document * 7 + nth) % 20)
    rows[at + 7] = (document * 13) % 6
  }
  return rows
}

function tuplesOf(rows: Uint8Array): Tuples {
  const sections = new Map<string, Numbers>([['rows', rows]])
  const packed = writeFacetTuples(sections, meta, count)
  assert.ok(packed)
  return openTuples(<T extends Numbers>(name: string) => sections.get(name) as T, packed)
}

test('counting by tuples equals counting all values, for any facets of any documents', () => {
  const rows = madeRows()
  const tuples = tuplesOf(rows)
  const names = Object.keys(meta.slots)
  fc.assert(
    fc.property(fc.subarray(names, { minLength: 1 }), fc.nat(count), fc.integer({ min: 1, max: 50 }), (wanted, from, step) => {
      const documents = Uint32Array.from({ length: Math.ceil((count - from) / step) }, (_, i) => from + i * step)
      const asked = wanted.map((name) => ({ name, values: values[name]! }))
      assert.deepEqual(tallyFacets(rows, meta, tuples, asked, documents), tallyFacets(rows, meta, null, asked, documents))
    }),
    { numRuns: 200 },
  )
})

test('groups are counted correctly one by one and three at a time, whichever are requested', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const wide: RowMeta = {
    stride: names.length,
    slots: Object.fromEntries(names.map((name, offset) => [name, { offset, width: 1, repeat: 1 }])),
  }
  // Sixty independent values each: any two fit together, three do not.
  const rows = new Uint8Array(count * wide.stride)
  let state = 1
  for (let at = 0; at < rows.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    rows[at] = 1 + ((state >>> 16) % 60)
  }
  const sections = new Map<string, Numbers>([['rows', rows]])
  const packed = writeFacetTuples(sections, wide, count)
  assert.equal(packed?.groups.length, 4)
  const tuples = openTuples(<T extends Numbers>(name: string) => sections.get(name) as T, packed)
  const documents = Uint32Array.from({ length: 9_000 }, (_, at) => at * 4 + (at % 3))
  fc.assert(
    fc.property(fc.subarray(names, { minLength: 1 }), (wanted) => {
      const asked = wanted.map((name) => ({ name, values: 60 }))
      assert.deepEqual(tallyFacets(rows, wide, tuples, asked, documents), tallyFacets(rows, wide, null, asked, documents))
    }),
    { numRuns: 60 },
  )
})

test('dependent attributes share a group, and one with too many combinations gets its own', () => {
  const { groups, codes, rows } = tuplesOf(madeRows())
  assert.ok(groups.some(({ names }) => names.includes('department') && names.includes('category')))
  assert.ok(!groups.some(({ names }) => names.includes('brand') && names.includes('category')))
  for (const { from, to } of groups) assert.ok(to - from <= 4096)
  assert.equal(rows.length, groups.at(-1)!.to * meta.stride)
  assert.equal(codes.length, count * groups.length)
})

test('few documents have no tuples', () => {
  assert.equal(writeFacetTuples(new Map(), meta, 100), null)
})
