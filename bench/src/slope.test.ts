import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slopePerMinute } from './slope.ts'

const samples = (...mb: number[]) => mb.map((each, minute) => ({ minute, mb: each }))

test('memory that grows by three megabytes a minute has this slope, whatever its level', () => {
  assert.equal(slopePerMinute(samples(400, 403, 406, 409)), 3)
  assert.equal(slopePerMinute(samples(409, 406, 403, 400)), -3)
})

test('memory that goes up and down around a level is flat', () => {
  assert.equal(slopePerMinute(samples(400, 420, 420, 400)), 0)
})

test('one sample, or none, has no slope', () => {
  assert.equal(slopePerMinute(samples(400)), 0)
  assert.equal(slopePerMinute([]), 0)
})
