import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import { allowByToken } from '#orders'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place } from './testing.ts'

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '6101', stock: 100 })
const gateway = await testGateway(database.pool)

/** The page's own document: one of a stranger would be executed in slices. */
const [sha256Hash] = Object.entries(knownDocuments).find(([, text]) => text.includes('query CustomerOrderAt('))!

/** A placed order whose card fields do not come, and the cookie of a browser that followed its link. */
async function unpayableOrder() {
  const buyer = newBuyer(database)
  const id = await draftOrder(buyer, [{ offerId: '6101', quantity: 1 }])
  must(await place(buyer, id))
  const { token } = await allowByToken(database.db, 'a-link-secret-of-the-tests-long-enough', id)
  const { cookie } = await gateway.post(`mutation { openOrderByToken(token: "${token}") { order { id } } }`)
  return { id, cookie }
}

test('V-12 R-649 fifty requests that wait for their orders to become payable keep nobody else from a turn', async () => {
  const orders = await Promise.all(Array.from({ length: 5 }, unpayableOrder))
  let answered = 0
  const waiting = orders.flatMap(({ id, cookie }) =>
    Array.from({ length: 10 }, async () => {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
        body: JSON.stringify({ variables: { id, until: 'payable' }, extensions: { persistedQuery: { version: 1, sha256Hash } } }),
      })
      const { data } = (await response.json()) as { data: { customerOrder: { id: string } | null } }
      answered++
      return [response.status, data.customerOrder?.id, id]
    }),
  )
  await sleep(1000)
  assert.equal(answered, 0)
  const startedAt = performance.now()
  const others = await Promise.all(Array.from({ length: 10 }, () => gateway.post('{ site { market } }')))
  const ms = performance.now() - startedAt
  assert.deepEqual(new Set(others.map(({ status }) => status)), new Set([200]))
  // With a turn each, the first of the fifty would end two seconds from here.
  assert.equal(answered, 0)
  assert.ok(ms < 1000, `${ms.toFixed(0)} ms`)
  for (const [status, shown, id] of await Promise.all(waiting)) assert.deepEqual([status, shown], [200, id])
})
