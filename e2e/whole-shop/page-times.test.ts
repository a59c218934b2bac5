import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowerPages, type PageTimes } from './page-times.ts'

const paths = ['/', '/x-11', '/p/x-1', '/search/drill', '/cart', 'add to cart']
/** Three warm rounds and two cold ones of every path, each as `ms` says. */
const times = (ms: (path: string, round: number, isCold: boolean) => number): PageTimes => ({
  warm: new Map(paths.map((path) => [path, [0, 1, 2].map((round) => ms(path, round, false))])),
  cold: new Map(paths.map((path) => [path, [0, 1].map((round) => ms(path, round, true))])),
})
const healthy = times((_, round) => 20 + round)
const slow = (ms: Parameters<typeof times>[0]) => slowerPages(times(ms), healthy).map((each) => each.split(':')[0])

test('pages that take as long, or a little longer on a busy machine, are as fast', () => {
  assert.deepEqual(slowerPages(healthy, healthy), [])
  assert.deepEqual(
    slow((_, round) => 60 + round),
    [],
  )
  assert.deepEqual(
    slow((_, round) => (round === 1 ? 180 : 20)),
    [],
  )
})

test('one path that hangs, one page of three that hangs, and one in a single round are each slower', () => {
  assert.deepEqual(
    slow((path) => (path === '/p/x-1' ? 400 : 20)),
    ['/p/x-1'],
  )
  assert.deepEqual(
    slow((path, round, isCold) => (!isCold && (paths.indexOf(path) + round) % 3 === 0 ? 400 : 20)),
    paths,
  )
  assert.deepEqual(
    slow((path, round, isCold) => (path === 'add to cart' && round === 2 && !isCold ? 400 : 20)),
    ['add to cart'],
  )
})

test('after a start the first page may wait for flags and header, and no longer', () => {
  assert.deepEqual(
    slow((path, _, isCold) => (path === '/' && isCold ? 840 : 20)),
    [],
  )
  assert.deepEqual(
    slow((path, _, isCold) => (path === '/' && isCold ? 900 : 20)),
    ['/'],
  )
})
