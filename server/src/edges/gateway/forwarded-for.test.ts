import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { addressIn } from '#platform'
import { testDatabase } from '#platform/testing'
import { cleanForwardedFor } from './forwarded-for.ts'
import { testGateway } from './testing.ts'

const database = await testDatabase()
const gateway = await testGateway(database.pool, { trustProxy: '127.0.0.1' })

const cases: [sent: string, address: string | null][] = [
  ['203.0.113.7', '203.0.113.7'],
  [' 203.0.113.7:5678 ', '203.0.113.7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['2001:DB8:0:0::7', '2001:db8::7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['fe80::1%eth0', null],
  ['unknown', null],
  ['203.0.113', null],
  ['', null],
]
for (const [sent, address] of cases)
  test(`V-09 in X-Forwarded-For "${sent}" is ${address ?? 'no address'}`, () => assert.equal(addressIn(sent), address))

/** Reports of events count per network: the answer to the first one too many is 429. */
async function answers(forwarded: (nth: number) => string, times: number): Promise<number[]> {
  const all = []
  for (let nth = 0; nth < times; nth++) {
    const headers = { 'x-forwarded-for': forwarded(nth), 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
    const body = JSON.stringify({ context: { CHANNEL: 'web', MARKET: 'gb', PLATFORM: 'b2c' }, visitor_id: crypto.randomUUID() })
    all.push((await fetch(`${gateway.url}/ab-test/api/v1/user/flags`, { method: 'POST', headers, body })).status)
  }
  return all
}

test('V-09 R-649 a port that a proxy appends to an address does not make each connection a network of its own', async () => {
  const statuses = await answers((nth) => `198.51.100.9, 203.0.113.9:${1024 + nth}`, 125)
  assert.equal(statuses[0], 200)
  assert.equal(statuses.at(-1), 429)
  assert.deepEqual(await answers(() => 'unknown, 203.0.113.10:1', 1), [200])
})

test('V-09 A67 of thousands of addresses that a client wrote itself only the last few are read', () => {
  const request = new IncomingMessage(new Socket())
  request.headers['x-forwarded-for'] = `${'::1,'.repeat(4000)}203.0.113.9`
  cleanForwardedFor(request, true)
  const read = String(request.headers['x-forwarded-for']).split(', ')
  assert.deepEqual([read.length, read.at(-1)], [16, '203.0.113.9'])
})
