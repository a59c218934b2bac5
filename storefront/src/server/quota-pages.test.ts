import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes, markets } from '@purlin/contract/markets.ts'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { pageFiles } from '../testing/shop.ts'
import type { ShopPage } from '../shell/context.ts'
import { testStorefront } from './testing.ts'

const search = (await pageFiles['./search/search-page.tsx']?.()) as ShopPage | undefined
const counted: string[] = []
const { server } = await testStorefront({
  ...(search && { pages: { './search/search-page.tsx': search } }),
  hosts: createSiteHosts({ port: 80 }),
  door: {
    remoteAddress: (req) => String(req.headers['x-test-address'] ?? ''),
    admit: async (kind, address) => {
      counted.push(`${kind} ${address}`)
      return address === 'hasty' ? 42 : null
    },
  },
})

test('R-649 V-11 beyond its quota a visitor gets 429 with Retry-After and, in five languages, a page that says what to do', async () => {
  for (const market of marketCodes) {
    const { status, headers, body } = await server.ask('/search/drill', {
      host: `${market}.localhost`,
      headers: { 'x-test-address': 'hasty' },
    })
    assert.equal(status, 429)
    assert.deepEqual([headers['retry-after'], headers['cache-control']], ['42', 'private, no-store'])
    assert.match(String(headers['content-security-policy']), /default-src/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(body, new RegExp(`<html[^>]* lang="${markets[market].language}`))
    assert.ok(body.includes(wordsFor(market)('error.too-many.title')), market)
    assert.ok(/<form[^>]* action="\/search"/.test(body), 'a way on')
  }
})

test('V-11 searches count as searches and other pages as pages, each for the address behind the proxy', async () => {
  counted.length = 0
  for (const path of ['/search/drill', '/nowhere']) await server.ask(path, { headers: { 'x-test-address': '198.51.100.1' } })
  assert.deepEqual(counted, ['search 198.51.100.1', 'page 198.51.100.1'])
})

test('V-11 the page of a refusal is rendered once and shows nothing of who was refused first', async () => {
  const headers = { 'x-test-address': 'hasty', cookie: '__Host-purlin=secret-of-the-first' }
  const [first, second] = [
    await server.ask('/search/drill?page=2', { headers }),
    await server.ask('/', { headers: { 'x-test-address': 'hasty' } }),
  ]
  assert.equal(first.body, second.body)
  assert.notEqual(first.headers['x-request-id'], second.headers['x-request-id'])
})
