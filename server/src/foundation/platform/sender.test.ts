import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineHashOf, senderHashOf } from './sender.ts'

test('V-10 networks of one line count as one where many have to agree: an IPv6 line has a /48, IPv4 addresses are neighbours in a /24', () => {
  const lines = (...addresses: string[]) => new Set(addresses.map(lineHashOf)).size
  assert.equal(lines('2a01:4f8:1:1::1', '2a01:4f8:1:ffff::1', '2A01:04F8:0001::'), 1)
  assert.equal(lines('2a01:4f8:1:1::1', '2a01:4f8:2:1::1'), 2)
  assert.equal(lines('45.1.7.9', '45.1.7.200', '::ffff:45.1.7.1'), 1)
  assert.equal(lines('45.1.7.9', '45.1.8.9'), 2)
  assert.notEqual(senderHashOf('45.1.7.9'), senderHashOf('45.1.7.200'))
  assert.deepEqual(['10.0.0.7', '127.0.0.1', undefined].map(lineHashOf), [null, null, null])
})
