import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextActive, suggestionList } from './suggestion-list.ts'

test('the arrow, page and end keys move through the suggestions and back to the field', () => {
  const cases: [string, number, number, number | null][] = [
    ['ArrowDown', -1, 3, 0],
    ['ArrowDown', 2, 3, -1],
    ['ArrowUp', -1, 3, 2],
    ['ArrowUp', 0, 3, -1],
    ['PageDown', -1, 12, 5],
    ['PageDown', 9, 12, 11],
    ['PageUp', 9, 12, 4],
    ['PageUp', 2, 12, 0],
    ['Home', 7, 12, 0],
    ['End', 0, 12, 11],
    ['Home', -1, 12, null],
    ['End', -1, 12, null],
    ['ArrowDown', -1, 0, null],
    ['a', 0, 3, null],
    ['Tab', 0, 3, null],
  ]
  for (const [key, active, count, expected] of cases)
    assert.equal(nextActive(key, active, count), expected, `${key} at ${active} of ${count}`)
})

test('suggestions are one list: queries, categories, brands, products, each with its address', () => {
  const list = suggestionList({
    queries: ['drill 18v'],
    categories: [{ name: 'Drills', url: '/drills-4', parents: [{ name: 'Tools' }] }],
    brands: [{ name: 'Kastor', url: '/brand/kastor-1' }],
    products: [
      { offerId: '91', title: 'Drill', url: '/p/drill-1', imageFullpath: '/pictures/1.svg', prices: { main: { asString: '£9.99' } } },
    ],
  })
  assert.deepEqual(
    list.map(({ group, href }) => [group, href]),
    [
      ['queries', '/search/drill%2018v'],
      ['categories', '/drills-4'],
      ['brands', '/brand/kastor-1'],
      ['products', '/p/drill-1'],
    ],
  )
  assert.equal(list[1]!.hint, 'Tools')
  assert.deepEqual([list[3]!.price, list[3]!.offerId], ['£9.99', '91'])
})
