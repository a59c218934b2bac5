import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createElement } from 'react'
import { keepMarkup } from './kept-markup.ts'

test('V-100 markup is rendered once per key, and the least recently used is evicted first', () => {
  // Room for the two longest.
  const kept = keepMarkup(2 * (5 + '<b>three</b>'.length))
  const rendered: string[] = []
  const ask = (key: string) =>
    kept(key, () => {
      rendered.push(key)
      return createElement('b', null, key)
    })
  for (const key of ['one', 'two', 'one', 'three', 'one', 'two']) assert.equal(ask(key), `<b>${key}</b>`)
  assert.deepEqual(rendered, ['one', 'two', 'three', 'two'])
})

test('markup longer than the cache is rendered, and evicts the others', () => {
  const kept = keepMarkup(40)
  const long = 'x'.repeat(100)
  assert.equal(
    kept('long', () => createElement('b', null, long)),
    `<b>${long}</b>`,
  )
  assert.equal(
    kept('short', () => createElement('i')),
    '<i></i>',
  )
  assert.equal(
    kept('short', () => createElement('b')),
    '<i></i>',
    'the short one is cached, the long one evicted',
  )
})

test('user text is escaped in cached markup', () => {
  assert.equal(
    keepMarkup(1)('k', () => createElement('b', null, '<script>')),
    '<b>&lt;script&gt;</b>',
  )
})

test('V-13 cached markup takes little more memory than it has characters, also once its code is optimised', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const kept = keepMarkup(3_000_000)
  const part = (n: number) =>
    createElement('ul', null, ...Array.from({ length: 60 }, (_, at) => createElement('li', { key: at, id: `${n}-${at}` }, n * at)))
  collect()
  const before = process.memoryUsage().heapUsed
  let characters = 0
  for (let n = 0; n < 8000; n++) characters += kept(`key ${n}`, () => part(n)).length
  collect()
  assert.ok(characters > 9_000_000, 'the cache was filled several times')
  const taken = process.memoryUsage().heapUsed - before
  assert.ok(taken < 6_000_000, `${taken} bytes for 3,000,000 characters`)
  assert.equal(
    kept('key 7999', () => assert.fail('it is kept')),
    kept('key 7999', () => assert.fail('it is kept')),
  )
})
