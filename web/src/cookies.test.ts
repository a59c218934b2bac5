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
    fc.property(fc.string(), (header) => {
      for (const value of Object.values(parseCookies(header))) assert.equal(typeof value, 'string')
    }),
  )
})

test('A57 for any value, a cookie is one line with its own attributes', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const line = cookieLine('x', value.toWellFormed(), { maxAgeSeconds: 60, secure: true })
      assert.match(line, /^x=[^;\s,]*; Path=\/; SameSite=Lax; Max-Age=60; HttpOnly; Secure$/)
    }),
  )
})
