import assert from 'node:assert/strict'
import { test } from 'node:test'
import { harm, isSlower, p99 } from './other-users.ts'

test('the p99 of a hundred times is the second longest, whatever their order', () => {
  const times = Array.from({ length: 100 }, (_, at) => ((at * 37) % 100) + 1)
  assert.equal(p99(times), 99)
  assert.equal(p99([7]), 7)
  assert.equal(p99([]), 0)
})

test('others are slower once their p99 has grown by a fifth, and by more than noise', () => {
  assert.equal(isSlower(120, 100), true)
  assert.equal(isSlower(119, 100), false)
  assert.equal(isSlower(12, 10), false)
  assert.equal(isSlower(14, 10), true)
})

test('an attack that makes the shop refuse other users has harmed them, however fast the refusals are', () => {
  const before = { times: [10, 11, 12], failed: [] }
  assert.deepEqual(harm(before, { times: [10, 11, 12], failed: [] }).broken, [])
  assert.equal(harm(before, { times: [9], failed: ['/: 503 after 1 ms'] }).broken.length, 1)
  assert.equal(harm(before, { times: [], failed: [] }).broken.length, 1)
  assert.equal(harm(before, { times: [10, 11, 40], failed: [] }).broken.length, 1)
})
