/** Bodies of webhooks: what is larger than their senders' messages is refused before anything is read from it. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from './testing.ts'

const database = await testDatabase()
const gateway = await testGateway(database.pool)
after(() => gateway.close())

const maxBytes: Record<string, number> = {
  '/webhooks/payment': 65_536,
  '/webhooks/credit': 65_536,
  '/webhooks/carrier': 200_000,
  '/webhooks/sms': 10_000,
  '/webhooks/identity': 16_384,
}

test('the table has every webhook', () => {
  const webhooks = gateway.routes.map(({ url }) => url).filter((url) => url.startsWith('/webhooks/'))
  assert.deepEqual(new Set(webhooks), new Set(Object.keys(maxBytes)))
})

const post = (path: string, bytes: number, type = 'application/json') =>
  fetch(`${gateway.url}${path}`, { method: 'POST', body: '0'.repeat(bytes), headers: { 'content-type': type } })

for (const [path, bytes] of Object.entries(maxBytes))
  test(`A44 A67 ${path} refuses a body of more than ${bytes} bytes with 413, whatever its type, and reads one of that size`, async () => {
    assert.ok([400, 403].includes((await post(path, bytes)).status), 'read, and refused for its signature')
    for (const type of ['application/json', 'application/x-www-form-urlencoded'])
      for (const more of [1, 1_000_000]) assert.equal((await post(path, bytes + more, type)).status, 413, `${type}, ${more} more`)
  })
