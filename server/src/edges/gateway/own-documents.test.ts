import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import { connectSearch } from '#listing'
import { testDatabase, useSettings } from '#platform/testing'
import { testEngine } from '../../goods/listing/test-engine.ts'
import { testGateway } from './testing.ts'

connectSearch(await testEngine())
const database = await testDatabase({ upTo: 'notify' })
const gateway = await testGateway(database.pool)
const [id = '', text = ''] = Object.entries(knownDocuments).find(([, document]) => document.startsWith('query CartCount')) ?? []

const send = async (body: object) => {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as { data?: unknown; errors?: { message: string }[] } }
}
const byHash = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } })

test('V-50 one of our own documents is available by its hash from the first request', async () => {
  assert.deepEqual(await send(byHash(id)), { status: 200, body: { data: { site: { cartCount: 0, hasYourPrices: false } } } })
  const inProcess = await gateway.execute({ documentId: id, headers: { host: 'gb.localhost:3000' } })
  assert.equal(JSON.stringify(inProcess.data), '{"site":{"cartCount":0,"hasYourPrices":false}}')
})

test('V-50 outsiders cannot register another text under the hash of one of our documents', async () => {
  const { status, body } = await send({ ...byHash(id), query: '{ site { market } }' })
  assert.equal(status, 400)
  assert.match(body.errors?.[0]?.message ?? '', /not that of the query/)
  assert.deepEqual((await send(byHash(id))).body, { data: { site: { cartCount: 0, hasYourPrices: false } } })
})

test('V-50 an unknown hash is refused, also in process', async () => {
  const { errors } = await gateway.execute({ documentId: 'toString', headers: { host: 'gb.localhost:3000' } })
  assert.equal(errors?.[0]?.extensions?.status, 400)
})

test('V-50 with PUBLIC_API=off only our own documents are executed', async (t) => {
  useSettings({ PUBLIC_API: 'off' })
  t.after(() => useSettings())
  const strange = '{ site { market } }'
  for (const body of [{ query: strange }, { query: text }, { ...byHash('a'.repeat(64)), query: strange }, byHash('b'.repeat(64)), {}]) {
    const answer = await send(body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(answer.body.errors?.[0]?.message ?? '', /Only documents of this shop/)
  }
  assert.equal((await send(byHash(id))).status, 200)
  assert.equal((await send({ ...byHash(id), query: text })).status, 200)
})
