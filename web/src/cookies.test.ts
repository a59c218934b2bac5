import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cookieLine, parseCookies } from './cookies.ts'

test('cookies are parsed by name, the first of a name wins, garbage is ignored', () => {
  assert.deepEqual({ ...parseCookies('a=1; b="2"; a=3; =x; nonsense; c=') }, { a: '1', b: '2', c: '' })
  assert.deepEqual({ ...parseCookies(undefined) }, {})
  assert.equal(Object.getPrototypeOf(parseCookies('__proto__=x')), null)
})

test('parsing cookies never fails', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (header) => {
      for (const value of Object.values(parseCookies(header))) assert.equal(typeof value, 'string')
    }),
  )
})

const isOneCookie = (value: string) =>
  assert.match(
    cookieLine('x', value.toWellFormed(), { maxAgeSeconds: 60, secure: true }),
    /^x=[!#-+\--:<-[\]-~]*; Path=\/; SameSite=Lax; Max-Age=60; HttpOnly; Secure$/,
  )

test('A57 for any value, a cookie is one line with its own attributes', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), isOneCookie))
})

for (const [name, value] of Object.entries({
  'line breaks': 'a\r\nSet-Cookie: evil=1\r\n\r\n<p>',
  'a line separator': 'a\u2028Set-Cookie: evil=1',
  'a null character': 'a\0; Domain=evil.example',
  'a semicolon': 'a; Domain=evil.example; HttpOnly=',
  'a character cut in half': 'a\ud800\r\n',
}))
  test(`A57 a value with ${name} is one line, and read back as it was`, () => {
    isOneCookie(value)
    const { x = '' } = parseCookies(cookieLine('x', value.toWellFormed()))
    assert.equal(decodeURIComponent(x), value.toWellFormed())
  })
