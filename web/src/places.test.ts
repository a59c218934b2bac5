import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPlaces } from './places.ts'

test('of large bodies fewer arrive at the same moment than of usual ones, so that all of them hold no more', async () => {
  const places = createPlaces(1)
  const { promise: arrived, resolve } = Promise.withResolvers<string>()
  const large = Array.from({ length: 819 }, () => places.waitForSender(() => arrived, 5))
  assert.equal(await places.waitForSender(async () => 'large', 5), null)
  assert.equal(await places.waitForSender(async () => 'usual'), 'usual')
  resolve('there')
  assert.deepEqual(new Set(await Promise.all(large)), new Set(['there']))
  assert.equal(await places.waitForSender(async () => 'large', 5), 'large')
})
