import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pack, unpack, type Numbers } from './segment-format.ts'
import { byCodeUnit, openTerms, writeTerms } from './term-dictionary.ts'
import { openTrie, writeTrie } from './term-trie.ts'

/** Edit distance between two words; a transposition of neighbours counts as one edit. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      rows[i]![j] = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) rows[i]![j] = Math.min(rows[i]![j]!, rows[i - 2]![j - 2]! + 1)
    }
  }
  return rows[a.length]![b.length]!
}

function open(words: readonly string[]) {
  const sections = new Map<string, Numbers>()
  writeTerms(sections, 'w', [...words])
  writeTrie(sections, 'w', [...words])
  const { section } = unpack(pack({}, sections))
  const terms = openTerms(section, 'w')
  return { terms, trie: openTrie(section, 'w', terms) }
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 8 })
const dictionaries = fc.uniqueArray(word, { minLength: 1, maxLength: 60 }).map((words) => words.sort(byCodeUnit))

test('exactly the words within the maximum number of edits are found, with their distance', () => {
  fc.assert(
    fc.property(dictionaries, word, fc.integer({ min: 0, max: 2 }), (words, wanted, max) => {
      const { terms, trie } = open(words)
      const found = new Map<string, number>()
      trie.near(wanted, max, false, (index, edits) => found.set(terms.get(index), Math.min(edits, found.get(terms.get(index)) ?? 9)))
      const expected = new Map(words.filter((one) => distance(wanted, one) <= max).map((one) => [one, distance(wanted, one)]))
      assert.deepEqual(new Map([...found].sort()), new Map([...expected].sort()))
    }),
    { numRuns: 500 },
  )
})

test('every word with a prefix within the maximum number of edits is found', () => {
  fc.assert(
    fc.property(dictionaries, word, fc.integer({ min: 0, max: 2 }), (words, wanted, max) => {
      const { terms, trie } = open(words)
      const found = new Set<string>()
      trie.near(wanted, max, true, (index) => found.add(terms.get(index)))
      const begins = (one: string) =>
        Array.from({ length: one.length + 1 }, (_, length) => one.slice(0, length)).some((start) => distance(wanted, start) <= max)
      assert.deepEqual([...found].sort(), words.filter(begins).sort())
    }),
    { numRuns: 500 },
  )
})

test('words are found by binary search, and missing words have an insertion point', () => {
  const { terms } = open(['a', 'ab', 'b', 'ca'])
  assert.deepEqual(
    ['a', 'ab', 'b', 'ca', 'c', ''].map((one) => terms.find(one)),
    [0, 1, 2, 3, -1, -1],
  )
  assert.equal(terms.lowerBound('aa'), 1)
  assert.equal(terms.lowerBound('z'), 4)
})
