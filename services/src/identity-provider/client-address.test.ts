import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { clientAddress } from './client-address.ts'

const behindProxy = (forwarded: string) =>
  clientAddress({ socket: { remoteAddress: '127.0.0.1' } } as IncomingMessage, forwarded, 'loopback')

test('A45 all addresses of one IPv6 customer count as one network, however they are written', () => {
  const networks = new Set(Array.from({ length: 1000 }, (_, n) => behindProxy(`2a01:4f8::${n.toString(16)}:1:2:3`)))
  assert.equal(networks.size, 1)
  for (const same of ['2a01:4f8::1', '2A01:04F8:0:0:ffff::1', '2a01:4f8:0:0:1:2:3:4']) assert.ok(networks.has(behindProxy(same)), same)
  for (const other of ['2a01:4f8:0:1::1', '2a01:4f9::1', '203.0.113.7']) assert.ok(!networks.has(behindProxy(other)), other)
  assert.equal(behindProxy('::ffff:203.0.113.7'), '203.0.113.7')
})
