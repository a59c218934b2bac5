import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestScope } from './request-scope.ts'
import { createSharedAnswers, sharedKey } from './shared-answers.ts'

const site = { market: 'de', mode: 'b2b', prefersVat: false } as RequestScope
const answered = (over: Partial<RequestScope['sharing']> = {}) => ({
  ...site,
  sharing: { asked: 1, holds: [() => true], isPersonal: false, ...over },
})

test('results are shared only among visitors who see the same prices, for the same query and variables', () => {
  const keys = [
    sharedKey(site, '{ a }', {}),
    sharedKey({ ...site, market: 'fr' }, '{ a }', {}),
    sharedKey({ ...site, mode: 'b2c' }, '{ a }', {}),
    sharedKey({ ...site, prefersVat: true }, '{ a }', {}),
    sharedKey(site, '{ b }', {}),
    sharedKey(site, '{ a }', { n: 1 }),
    sharedKey(site, '{ a }', {}, 'A'),
  ]
  assert.equal(new Set(keys).size, keys.length)
  assert.equal(sharedKey(site, 'x'.repeat(10_000), {}), null)
  assert.equal(sharedKey(site, '{ a }', { text: 'x'.repeat(10_000) }), null)
})

test('personal, partly shared and empty results are not cached', () => {
  const cases = [{ isPersonal: true }, { asked: 2 }, { asked: 0, holds: [] }, { holds: [] }]
  for (const sharing of cases) {
    const answers = createSharedAnswers()
    assert.equal(answers.keep('key', answered(sharing), { data: 1 }), undefined)
    assert.equal(answers.find('key'), undefined)
  }
})

test('a result is served from the cache while all of it is valid, and not afterwards', () => {
  const answers = createSharedAnswers()
  let holds = true
  answers.keep('key', answered({ asked: 2, holds: [() => true, () => holds] }), { data: 'one' })
  assert.equal(answers.find('key')?.toString(), '{"data":"one"}')
  holds = false
  assert.equal(answers.find('key'), undefined)
  holds = true
  assert.equal(answers.find('key'), undefined)
  assert.equal(answers.find(null), undefined)
})

test('V-13 the cache is bounded by the memory of its results, and keeps no very long one', () => {
  const answers = createSharedAnswers(100_000)
  for (const key of ['a', 'b', 'c']) answers.keep(key, answered(), { data: key.repeat(40_000) })
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => answers.find(key) !== undefined),
    [false, true, true],
  )
  assert.ok(answers.keep('long', answered(), { data: 'x'.repeat(300_000) }))
  assert.equal(answers.find('long'), undefined)
})
