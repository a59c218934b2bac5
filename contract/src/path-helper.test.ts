import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildUrl, matchPath, parseUrl, queryString } from './path-helper.ts'
import { cpuMsOf } from './testing.ts'

test('R-282 a path is matched against a pattern, ignoring query string and fragment', () => {
  const cases: [string, string, object | null][] = [
    ['/cart', '/cart', {}],
    ['/cart', '/cart?x=1', {}],
    ['/cart', '/cart#top', {}],
    ['/cart', '/cart/more', null],
    ['/cart', '/carts', null],
    ['/p/{slug}-{id}', '/p/drill-18-v-7?ref=/p/other-8', { slug: 'drill-18-v', id: '7' }],
    ['/p/{slug}-{id}', '/p/drill', null],
    ['/orders/page/{pageNumber}', '/orders/page/2', { pageNumber: '2' }],
    ['/orders/page/{pageNumber}', '/orders/page/0', null],
    ['/orders/page/{pageNumber}', '/orders/page/-1', null],
    ['/order/{customerOrderId}/delivery', '/order/a_B-9/delivery', { customerOrderId: 'a_B-9' }],
    ['/order/{customerOrderId}/delivery', "/order/a'b/delivery", null],
    ['/a/{x?}', '/a', {}],
    ['/a/{x?}', '/a/1', { x: '1' }],
    ['/w/{path*}', '/w/a/b', { path: 'a/b' }],
    ['/api/auth/:path*', '/api/auth', { path: '' }],
    ['/api/auth/:path*', '/api/auth/a/b', { path: 'a/b' }],
    ['/pro/{type:trade|industry}/{slug}', '/pro/industry/x', { type: 'industry', slug: 'x' }],
    ['/pro/{type:trade|industry}/{slug}', '/pro/trades/x', null],
    ['/search/{query}', '/search/a%20b', { query: 'a b' }],
  ]
  for (const [pattern, path, expected] of cases) assert.deepEqual(matchPath(pattern, path), expected, `${pattern} on ${path}`)
})

test('R-282 an invalid path matches nothing: bad escapes, control characters, dots, endless paths (A61)', () => {
  for (const path of [
    '/search/%',
    '/search/%ff',
    '/search/a%00b',
    '/search/%0d%0aSet-Cookie',
    '/search/..',
    '/search/%2e%2e',
    `/search/${'a'.repeat(3000)}`,
  ]) {
    assert.equal(matchPath('/search/{query}', path), null, path)
  }
})

test('R-283 a URL is parsed into pathname, search, path parameters and query parameters', () => {
  assert.deepEqual(structuredClone(parseUrl('https://shop.example/p/hammer-12?page=2&f=a&f=b#x', '/p/{slug}-{id}')), {
    pathname: '/p/hammer-12',
    search: '?page=2&f=a&f=b',
    pathParams: { slug: 'hammer', id: '12' },
    queryParams: { page: '2', f: ['a', 'b'] },
  })
  assert.deepEqual(parseUrl('/cart').pathParams, {})
  assert.deepEqual(parseUrl('/cart', '/p/{slug}-{id}').pathParams, {})
})

test('R-283 a parameter named after a prototype property is just a parameter (A59)', () => {
  const { queryParams } = parseUrl('/cart?__proto__=x&constructor=y')
  assert.equal(queryParams['__proto__'], 'x')
  assert.equal(({} as Record<string, unknown>)['x'], undefined)
})

test('R-284 a URL is built from pattern, parameters and optional query', () => {
  assert.equal(buildUrl('/p/{slug}-{id}', { slug: 'hammer', id: 12 }), '/p/hammer-12')
  assert.equal(buildUrl('/cart'), '/cart')
  assert.equal(buildUrl('/'), '/')
  assert.equal(
    buildUrl('/search/{query}', { query: 'a/b?c' }, { page: 2, sort: undefined, f: ['x', 'y'] }),
    '/search/a%2Fb%3Fc?page=2&f=x&f=y',
  )
  assert.equal(buildUrl('/a/{x?}', {}), '/a')
  assert.equal(buildUrl('/w/{path*}', { path: 'a b/c' }), '/w/a%20b/c')
  assert.equal(buildUrl('/api/auth/:path*', { path: 'csrf' }), '/api/auth/csrf')
  assert.throws(() => buildUrl('/p/{slug}-{id}', { slug: 'hammer' }), /needs a id/)
  assert.throws(() => buildUrl('/pro/{type:trade|industry}', { type: 'other' }), /may not be other/)
  assert.equal(queryString({ a: null, b: [] }), '')
})

test('R-282 R-284 a built URL is matched again, whatever its parameters', () => {
  const word = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }).filter((text) => {
    // eslint-disable-next-line no-control-regex
    return !/[\u0000-\u001f\u007f]/.test(text) && text !== '.' && text !== '..'
  })
  fc.assert(
    fc.property(word, fc.nat(), (query, id) => {
      assert.deepEqual(matchPath('/search/{query}', buildUrl('/search/{query}', { query }, { page: id })), { query: query.toWellFormed() })
      assert.deepEqual(matchPath('/co/{type}/{slug}-{id}', buildUrl('/co/{type}/{slug}-{id}', { type: 't', slug: query, id })), {
        type: 't',
        slug: query.toWellFormed(),
        id: String(id),
      })
    }),
  )
})

test('A60 no path can make matching slow', async () => {
  const attacks = ['-1'.repeat(1000), '-'.repeat(2000), '1'.repeat(2000), 'a-'.repeat(900) + 'x', '%2d1'.repeat(500)]
  const took = await cpuMsOf(() => {
    for (const attack of attacks) for (let round = 0; round < 20; round++) matchPath('/p/{slug}-{id}', `/p/${attack}`)
  })
  assert.ok(took / 100 < 5, 'under 5 ms each')
})
