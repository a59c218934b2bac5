import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundedCache } from './bounded-cache.ts'

test('V-13: a full cache evicts what was used least recently, by number', () => {
  const cache = boundedCache<string>(2)
  cache.set('a', 'A')
  cache.set('b', 'B')
  cache.get('a')
  cache.set('c', 'C')
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => cache.get(key)),
    ['A', undefined, 'C'],
  )
})

test('V-13: a cache bounded by weight evicts as many values as a heavy one needs, and takes none that is too heavy alone', () => {
  const cache = boundedCache<string>(10, ({ length }) => length)
  cache.set('a', 'x'.repeat(4))
  cache.set('b', 'x'.repeat(4))
  cache.set('c', 'x'.repeat(7))
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')?.length], [undefined, undefined, 7])
  cache.set('d', 'x'.repeat(11))
  assert.equal(cache.get('d'), undefined)
  assert.equal(cache.get('c')?.length, 7)
})

test('V-13: replaced, deleted and cleared values no longer weigh anything', () => {
  const cache = boundedCache<string>(10, ({ length }) => length)
  for (let n = 0; n < 5; n++) cache.set('same', 'x'.repeat(9))
  cache.delete('same')
  cache.set('a', 'x'.repeat(9))
  assert.equal(cache.get('a')?.length, 9)
  cache.clear()
  cache.set('b', 'x'.repeat(5))
  cache.set('c', 'x'.repeat(5))
  assert.equal(cache.size, 2)
})
