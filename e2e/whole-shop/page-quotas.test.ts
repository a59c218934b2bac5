import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { takeQuota } from '@purlin/server/foundation/platform/index.ts'
import { quotas } from '@purlin/server/foundation/platform/quota-limits.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { testOffer, testProduct, testReference } from '@purlin/server/goods/listing/test-shop.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { serveShop } from './serve-shop.ts'

const database = await testDatabase()
await testReference(database.db)
await testProduct(database.db, { id: 41, title: 'Cordless drill' })
await testOffer(database.db, { id: 410, productId: 41 })
const shop = await serveShop(database, { trustProxy: '127.0.0.1' })
after(() => shop.close())

const ask = (path: string, address: string) =>
  shop.send({ path, host: 'gb.localhost:3000', cookie: '', headers: { 'x-forwarded-for': address } })

for (const [kind, path, elsewhere, address] of [
  ['search', '/search/drill', '/drills-11', '198.51.100.7'],
  ['page', '/p/cordless-drill-41', '/search/cordless', '198.51.100.8'],
] as const)
  test(`V-11 a network that has used up its quota of ${kind} requests gets 429 with Retry-After and a page that helps; others are served`, async () => {
    await takeQuota(kind, { address }, quotas[kind].address.units)
    const { status, headers, body } = await ask(path, address)
    assert.equal(status, 429)
    const seconds = Number(headers['retry-after'])
    assert.ok(seconds >= 1 && seconds <= quotas[kind].address.seconds, `${seconds} s`)
    assert.equal(headers['cache-control'], 'private, no-store')
    assert.ok(body.includes(wordsFor('gb')('error.too-many.title')))
    assert.match(body, /<form[^>]* action="\/search"/)
    assert.equal((await ask(elsewhere, address)).status, 200, 'another quota')
    assert.equal((await ask(path, '203.0.113.9')).status, 200, 'another network')
  })
