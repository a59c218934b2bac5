import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cpuMsOf } from '@purlin/contract/testing.ts'
import { formLimits, parseForm } from './form.ts'
import { queryText } from './query-text.ts'
import { canonicalQuery, parseQuery, pickQuery } from './query.ts'

test('R-707 lists of a query hold at most 20 elements', () => {
  const twenty = parseQuery(Array.from({ length: 20 }, (_, index) => `a[${index}]=${index}`).join('&'))
  assert.ok(Array.isArray(twenty['a']) && twenty['a'].length === 20)
  const beyond = parseQuery('a[0]=x&a[20]=y')
  assert.ok(!Array.isArray(beyond['a']), 'an index over the limit makes no list with holes')
})

test('R-708 A66 a query is nested at most 5 deep', () => {
  const query = parseQuery('a[b][c][d][e][f][g]=1')
  assert.deepEqual(query, { a: { b: { c: { d: { e: { f: { '[g]': '1' } } } } } } })
})

test('R-709 A66 a query has at most 1,000 parameters', () => {
  const query = parseQuery(Array.from({ length: 1500 }, (_, index) => `p${index}=1`).join('&'))
  assert.equal(Object.keys(query).length, 1000)
})

test('A66 floods of brackets and commas are cheap and yield little', async () => {
  const bombs = [
    'a[]=1&'.repeat(100_000),
    'a' + '[b]'.repeat(5000) + '=1',
    'a=' + ','.repeat(15_000),
    '&'.repeat(16_000),
    '['.repeat(16_000),
  ]
  const took = await cpuMsOf(() => {
    for (const bomb of bombs) assert.ok(JSON.stringify(parseQuery(bomb)).length < 20_000)
  })
  assert.ok(took < 500, `${took} ms`)
})

for (const search of ['?__proto__[x]=1', '?constructor[prototype][x]=1', '?a[__proto__][x]=1', '?hasOwnProperty=1'])
  test(`A59 the query ${search} cannot reach the prototype`, () => {
    const query = parseQuery(search)
    assert.equal(({} as Record<string, unknown>)['x'], undefined)
    assert.equal(typeof query['toString'], 'function')
    assert.equal(queryText(query, 'x'), '')
    assert.equal(queryText(query, '__proto__'), '')
  })

test('A50 the same query in another order, or with ignored parameters, is the same', () => {
  const key = (search: string) => canonicalQuery(pickQuery(parseQuery(search), ['page', 'f']))
  assert.equal(key('?page=2&f[b]=1&f[a]=2'), key('?utm_source=x&f[a]=2&page=2&f[b]=1&gclid=y'))
  assert.notEqual(key('?page=2'), key('?page=2&page=3'))
  assert.notEqual(key('?page=2'), key('?page=3'))
  assert.equal(key('?PAGE=2'), '')
  assert.equal(key('?__proto__=2'), '')
})

test('A14 for any query, a value read as text is text', () => {
  fc.assert(
    fc.property(fc.string(), (search) => {
      assert.equal(typeof queryText(parseQuery(`?${search}`), 'id'), 'string')
    }),
  )
  assert.equal(queryText(parseQuery('?id[$ne]=1'), 'id'), '')
  assert.equal(queryText(parseQuery('?id[]=1&id[]=2'), 'id'), '1')
})

test('a form gives its fields in order, without a prototype, up to a limit', () => {
  const form = parseForm('a=1&b=2&a=3&c=%C3%A9+x')!
  assert.equal(form.get('a'), '1')
  assert.deepEqual(form.all('a'), ['1', '3'])
  assert.equal(form.get('c'), 'é x')
  assert.equal(form.get('missing'), '')
  assert.equal(form.has('b'), true)
  assert.ok(parseForm('a&'.repeat(formLimits.fields - 1) + 'a'))
  assert.equal(parseForm('a&'.repeat(formLimits.fields) + 'a'), null)
})
