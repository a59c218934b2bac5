import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figure, meets, verdict } from './figures.ts'

test('a figure meets or misses its target; at the limit it meets it', () => {
  assert.equal(meets(3, '>= 3'), true)
  assert.equal(meets(2.99, '>= 3'), false)
  assert.equal(meets(4, '<= 4'), true)
  assert.equal(meets(4.01, '<= 4'), false)
  assert.equal(meets(1, null), true)
})

test('an invalid target is an error, not a pass', () => {
  assert.throws(() => figure('x', 1, 'ms', 'fast'), /A target is/)
})

test('a figure is compared before it is rounded', () => {
  assert.equal(figure('x', 2.999, '%', '>= 3').ok, false)
})

test('the verdict counts the figures that have a target', () => {
  assert.equal(verdict([figure('a', 1, 'ms', '<= 2'), figure('b', 3, 'ms', '<= 2'), figure('c', 3, 'ms')]), '1 of 2 targets are met')
})
