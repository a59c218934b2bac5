import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noiseOf } from './measured.ts'

test('a difference within the spread of the visits is noise, and one beyond it is not', () => {
  const off = [100, 104, 98, 110, 102, 96, 105, 101, 99]
  const same = [103, 99, 101, 108, 97, 100, 104, 98, 102]
  const slower = off.map((ms) => ms + 40)
  assert.ok(noiseOf(off, same) >= 1)
  assert.ok(noiseOf(off, same) < 10, String(noiseOf(off, same)))
  assert.ok(noiseOf(off, slower) <= 40)
  assert.equal(noiseOf(off, same), noiseOf(off, same), 'the same at each run')
})
