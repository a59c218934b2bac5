import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openDocumentNumbers, writeDocumentNumbers } from './document-numbers.ts'
import type { Numbers } from './segment-format.ts'

const stored = (numbers: readonly number[]) => {
  const sections = new Map<string, Numbers>()
  const isTabled = writeDocumentNumbers(sections, 'c0', Float64Array.from(numbers))
  return { isTabled, sections, column: openDocumentNumbers(<T extends Numbers>(name: string) => sections.get(name) as T, 'c0', isTabled) }
}

const number = fc.oneof(fc.constant(NaN), fc.integer({ min: -3, max: 9 }), fc.double({ noNaN: true }))
const bound = fc.oneof(fc.constantFrom(-Infinity, Infinity), fc.integer({ min: -4, max: 10 }), fc.double({ noNaN: true }))

test('numbers, conditions and ranges are the same, however a column stores them', () => {
  fc.assert(
    fc.property(fc.array(number, { maxLength: 40 }), bound, bound, fc.boolean(), (some, from, to, repeats) => {
      // Repeated, few different numbers are stored as ordinals.
      const numbers = repeats ? Array.from({ length: 10 }, () => some).flat() : some
      const { column } = stored(numbers)
      numbers.forEach((each, at) => assert.equal(column.at(at) + 0, each + 0))
      const passing: number[] = []
      column.each(
        (each) => each > from,
        (document) => passing.push(document),
      )
      assert.deepEqual(
        passing,
        [...numbers.keys()].filter((at) => numbers[at]! > from),
      )
      const range = column.range(from, to)
      const within = [...numbers.keys()].filter((at) => range.numbers[at]! >= range.from && range.numbers[at]! <= range.to)
      assert.deepEqual(
        within,
        [...numbers.keys()].filter((at) => numbers[at]! >= from && numbers[at]! <= to),
      )
    }),
  )
})

test('few different numbers take a byte per document, many different ones eight', () => {
  const few = stored(Array.from({ length: 1000 }, (_, at) => (at % 3 ? NaN : at % 200)))
  const many = stored(Array.from({ length: 1000 }, (_, at) => at / 7))
  const bytes = (sections: Map<string, Numbers>) => [...sections.values()].reduce((sum, each) => sum + each.byteLength, 0)
  assert.deepEqual([few.isTabled, many.isTabled, bytes(many.sections)], [true, false, 8000])
  assert.ok(bytes(few.sections) < 2700)
})
