import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileRoutes, type Route, type RouteFacts } from './route-table.ts'

const row = (name: string, addresses: string[], more: Partial<RouteFacts> = {}): Route => ({
  name,
  addresses,
  access: 'public',
  layout: 'base',
  indexable: true,
  page: name,
  ...more,
})
const nameOf = (routes: Route[]) => {
  const match = compileRoutes(routes)
  return (path: string, variant?: string) => match(path, variant)?.route.name
}

test('in any order, static segments win over patterns and longer literals over shorter ones', () => {
  const rows = [
    row('any', ['/{slug}-{id}']),
    row('seller', ['/seller-{id}']),
    row('word', ['/seller-7']),
    row('rest', ['/{path*}']),
    row('deep', ['/a/{x}/c']),
    row('word-a', ['/a/b']),
  ]
  for (const order of [rows, rows.toReversed()]) {
    const match = nameOf(order)
    assert.deepEqual(
      ['/seller-7', '/seller-8', '/tool-8', '/tool', '/a/b', '/a/b/c', '/a/b/d', '/'].map((path) => match(path)),
      ['word', 'seller', 'any', 'rest', 'word-a', 'deep', 'rest', 'rest'],
    )
  }
})

test('parameters of a failed branch are discarded on backtracking', () => {
  const match = compileRoutes([row('one', ['/{a}/{b}/x']), row('two', ['/{c}/{d}/y'])])
  assert.deepEqual(match('/1/2/y')?.params, { c: '1', d: '2' })
})

test('two rows may not claim one address, unless they are for different variants', () => {
  assert.throws(() => compileRoutes([row('a', ['/x']), row('b', ['/x'])]), /a and b both claim \/x/)
  assert.throws(() => compileRoutes([row('a', ['/{slug}-{id}']), row('b', ['/{slug}-{id}'])]), /both claim/)
  assert.throws(() => compileRoutes([row('a', ['/x'], { only: 'p' }), row('b', ['/x'])]), /both claim/)
  const match = nameOf([row('a', ['/x'], { only: 'p' }), row('b', ['/x'], { only: 'q' })])
  assert.deepEqual([match('/x', 'p'), match('/x', 'q'), match('/x', 'r')], ['a', 'b', undefined])
})

test('a named path that is an address of another row is that row; shared names resolve to the first', () => {
  const match = compileRoutes([row('a', ['/a'], { named: ['/n', '/b'] }), row('b', ['/b'], { named: ['/n'] })])
  assert.deepEqual([match('/n')?.route.name, match('/n')?.isNamed, match('/b')?.route.name, match('/b')?.isNamed], ['a', true, 'b', false])
})

test('only the last segment may be optional or the rest', () => {
  assert.throws(() => compileRoutes([row('a', ['/{x?}/y'])]), /Only the last segment/)
})
