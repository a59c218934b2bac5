import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cachedDocuments, documentCache, maxCachedBytes } from './document-cache.ts'

const document = (objectID: string) => ({ objectID })

test('V-13: documents of all segments share one bound: the oldest are evicted, whichever segment they belong to', () => {
  const [one, other] = [documentCache(), documentCache()]
  const third = Math.floor(maxCachedBytes / 3)
  one.set(1, document('1'), third)
  one.set(2, document('2'), third)
  other.set(1, document('3'), third)
  other.set(2, document('4'), third)
  assert.deepEqual([one.get(1), one.get(2)?.objectID, other.get(1)?.objectID, other.get(2)?.objectID], [undefined, '2', '3', '4'])
  assert.ok(cachedDocuments().bytes <= maxCachedBytes)
  one.clear()
  other.clear()
})

test('V-13: a closed segment leaves nothing behind, and takes nothing from the others', () => {
  const [one, other] = [documentCache(), documentCache()]
  one.set(7, document('7'), 100)
  other.set(7, document('8'), 50)
  one.clear()
  assert.deepEqual([one.get(7), other.get(7)?.objectID, cachedDocuments()], [undefined, '8', { number: 1, bytes: 50 }])
  other.clear()
  assert.deepEqual(cachedDocuments(), { number: 0, bytes: 0 })
})

test('V-13: a document cached twice counts once, and one longer than the bound is not cached', () => {
  const cache = documentCache()
  cache.set(1, document('1'), 100)
  cache.set(1, document('1'), 120)
  cache.set(2, document('2'), maxCachedBytes + 1)
  assert.deepEqual(cachedDocuments(), { number: 1, bytes: 120 })
  cache.clear()
})
