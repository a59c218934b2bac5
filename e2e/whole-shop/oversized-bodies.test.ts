/** The bodies and addresses of `npm run attack`, sent to all routes of the shop: none of them may be an address that does not exist. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { sendOversized } from '../attack/oversized-bodies.ts'
import { judgeBodies } from '../attack/judge.ts'
import { visitedPaths } from '../attack/other-users.ts'
import { largestPaths } from '../attack/unread-answers.ts'
import { hosts, shopWithVisitors } from './visitors.ts'

const shop = await shopWithVisitors()
after(() => shop.close())
const { port } = shop.gateway.server.address() as AddressInfo

test('A44 A66 A67 each oversized body of the attacks is refused with 413 or cut, and some are answered', async () => {
  const sent = await sendOversized(port, '127.0.0.1', hosts.b2c)
  assert.deepEqual(judgeBodies(sent), [])
  const webhooks = shop.gateway.routes.flatMap(({ url }) => (url.startsWith('/webhooks/') ? [url] : []))
  const paths = new Set(sent.map(({ path }) => path))
  assert.deepEqual(new Set(webhooks).difference(paths), new Set(), 'every webhook is attacked')
  assert.ok(sent.filter(({ status }) => status === 413).length > sent.length / 2, JSON.stringify(sent))
})

test('every page and file that other users and readers of the attacks request exists', async () => {
  for (const path of new Set([...visitedPaths, ...largestPaths])) assert.equal((await shop.ask('anonymous', 'b2c', path)).status, 200, path)
})
