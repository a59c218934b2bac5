import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryPauseMs } from './retry-pause.ts'

const pauses = { firstMs: 100, maxMs: 60_000 }

test('F22 each attempt waits twice as long as the one before, up to the maximum', () => {
  const plain = (attempt: number) => retryPauseMs(attempt, pauses, () => 0.5)
  assert.deepEqual([0, 1, 2, 3, 9].map(plain), [100, 200, 400, 800, 51_200])
  assert.deepEqual([10, 20, 300].map(plain), [60_000, 60_000, 60_000])
})

test('F22 what failed together is tried again at different times, at most a quarter apart from the plain pause', () => {
  assert.equal(
    retryPauseMs(3, pauses, () => 0),
    600,
  )
  assert.equal(
    retryPauseMs(3, pauses, () => 1),
    1000,
  )
  const chosen = new Set(Array.from({ length: 50 }, () => retryPauseMs(9, pauses)))
  assert.ok(chosen.size > 40)
})
