import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cookieLine, parseCookies } from './cookies.ts'

test('cookies are read by name, the first of a name counts, rubbish is left out', () => {
  assert.deepEqual({ ...parseCookies('a=1; b="2"; a=3; =x; nonsense; c=') }, { a: '1', b: '2', c: '' })
  assert.deepEqual({ ...parseCookies(undefined) }, {})
  assert.equal(Object.getPrototypeOf(parseCookies('__proto__=x')), null)
})

test('reading cookies never fails', () => {
  fc.assert(
    fc.property(fc.string(), (header) => {
      for (const value of Object.values(parseCookies(header))) assert.equal(typeof value, 'string')
    }),
  )
})

test('A57 whatever its value, a cookie is one line with its own attributes', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      const line = cookieLine('x', value.toWellFormed(), { maxAgeSeconds: 60, secure: true })
      assert.match(line, /^x=[^;\s,]*; Path=\/; SameSite=Lax; Max-Age=60; HttpOnly; Secure$/)
    }),
  )
})
