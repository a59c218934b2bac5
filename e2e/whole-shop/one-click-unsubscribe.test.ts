/** "Unsubscribe" of a mail program (RFC 8058), at every route that offers it: the form may be multipart or URL-encoded. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { testGateway } from '@purlin/server/edges/gateway/testing.ts'

const database = await testDatabase()
const gateway = await testGateway(database.pool)
const paths = gateway.routes.map(({ url }) => url).filter((url) => /unsubscribe.*\/:token$/.test(url))
const multipart = new FormData()
multipart.set('List-Unsubscribe', 'One-Click')

test('five kinds of mails are ended by one click', () => assert.equal(new Set(paths).size, 5, paths.join()))

for (const path of new Set(paths))
  for (const [kind, body] of Object.entries({ 'URL-encoded': new URLSearchParams('List-Unsubscribe=One-Click'), multipart, empty: null }))
    test(`R-155 ${path} takes a form that is ${kind}`, async () => {
      const sent = await fetch(gateway.url + path.replace(':token', 'a'.repeat(43)), { method: 'POST', body })
      assert.equal(sent.status, 204)
    })

test('a form of more than a thousand bytes is refused', async () => {
  for (const path of new Set(paths)) {
    const sent = await fetch(gateway.url + path.replace(':token', 'a'.repeat(43)), { method: 'POST', body: 'x'.repeat(1001) })
    assert.equal(sent.status, 413, path)
  }
})
