import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ownPath } from './own-path.ts'
import { isOwnRequest, securityHeaders, widened } from './security.ts'

const origin = 'https://shop.example'

test('A33 a callback leads to a path on this site or to the fallback, never elsewhere, and terminates', () => {
  const hostile = [
    '//evil.com',
    '/\\evil.com',
    '\\\\evil.com',
    'https:evil.com',
    'https://evil.com',
    'javascript:alert(1)',
    'data:text/html,x',
    '%2f%2fevil.com',
    '/%2f/evil.com',
    '/%2fevil.com',
    '/%5cevil.com',
    '@evil.com',
    'evil.com',
    '.evil.com',
    '/\t/evil.com',
    '/\n/evil.com',
    '/ /evil.com'.replace(' ', '\u0000'),
    '/x\r\nSet-Cookie: a=b',
    '/%0d%0aSet-Cookie:a',
    '/%',
    `/${'a'.repeat(1_000_000)}`,
    '',
    ' /cart',
    'https://shop.example.evil.com/',
    '/../..//evil.com',
    '/./\\evil.com',
    undefined,
    null,
    7,
    ['/cart'],
    { toString: () => '/cart' },
  ]
  for (const target of hostile) {
    const taken = ownPath(target, '/fallback')
    assert.equal(new URL(taken, origin).origin, origin, String(target).slice(0, 40))
    assert.equal(taken, '/fallback', String(target).slice(0, 40))
  }
})

test('A33 valid callbacks are kept unchanged', () => {
  for (const path of ['/', '/cart', '/order/C1/delivery?step=2#top', '/search/a%20b', '/p/hammer-12?x=https://other.example/'])
    assert.equal(ownPath(path), path)
})

test('A33 for any input, the browser stays on our origin', () => {
  const odd = fc.string({
    unit: fc.constantFrom('/', '\\', '.', '%', '2', 'f', '5', 'c', '@', ':', '?', '#', 'e', '\t', '\n', ' ', '\u0000', 'é'),
  })
  fc.assert(
    fc.property(odd, (target) => {
      assert.equal(new URL(ownPath(`/${target}`), origin).origin, origin)
    }),
    { numRuns: 2000 },
  )
})

test('A34 a request that changes something must come from our own pages', () => {
  const cases: [Record<string, string>, boolean][] = [
    [{ origin, 'sec-fetch-site': 'same-origin' }, true],
    [{ origin }, true],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{}, false],
    [{ origin: 'null' }, false],
    [{ origin: 'https://evil.com' }, false],
    [{ origin: 'https://pro.shop.example' }, false],
    [{ origin: 'http://shop.example' }, false],
    [{ origin: `${origin}.evil.com` }, false],
    [{ origin, 'sec-fetch-site': 'cross-site' }, false],
    [{ origin, 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
  ]
  for (const [headers, own] of cases) assert.equal(isOwnRequest(headers, origin), own, JSON.stringify(headers))
})

test('the content security policy allows neither inline nor third-party scripts', () => {
  const policy = securityHeaders({ formAction: ['https://pay.example'], frames: ['https://pay.example'], secure: true })[
    'content-security-policy'
  ]!
  const directives = Object.fromEntries(policy.split('; ').map((line) => [line.split(' ')[0], line]))
  assert.equal(directives['script-src'], "script-src 'self'")
  assert.equal(directives['default-src'], "default-src 'self'")
  assert.equal(directives['base-uri'], "base-uri 'none'")
  assert.equal(directives['object-src'], "object-src 'none'")
  assert.equal(directives['form-action'], "form-action 'self' https://pay.example")
  assert.equal(directives['frame-src'], "frame-src 'self' https://pay.example")
  assert.equal(directives['frame-ancestors'], "frame-ancestors 'none'")
})

test('a view may open the camera or send its form elsewhere, and nothing else of the policy changes', () => {
  const site = securityHeaders({ formAction: ['https://pay.example'] })
  assert.deepEqual(widened(site, {}), site)
  const camera = widened(site, { camera: true })
  assert.match(camera['permissions-policy']!, /^camera=\(self\), microphone=\(\), geolocation=\(\)/)
  assert.equal(camera['content-security-policy'], site['content-security-policy'])
  const form = widened(site, { formAction: ['https://buyer.example'] })
  const rest = (policy: string | undefined) => policy!.split('; ').filter((each) => !each.startsWith('form-action'))
  assert.match(form['content-security-policy']!, /form-action 'self' https:\/\/pay\.example https:\/\/buyer\.example;/)
  assert.deepEqual(rest(form['content-security-policy']), rest(site['content-security-policy']))
  assert.equal(form['permissions-policy'], site['permissions-policy'])
})
