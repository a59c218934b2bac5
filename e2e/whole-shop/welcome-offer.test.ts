/** The code of `welcome-offer-hvc`: the customers it is meant for read it, and no answer of the shop tells it to anybody else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modes, type Mode } from '@purlin/contract/markets.ts'
import { documentFor } from './foreign-documents.ts'
import { roots, shop } from './foreign-things.ts'
import type { VisitorName } from './visitors.ts'
import { giveWelcomeOffer } from './welcome-offer.ts'

const code = await giveWelcomeOffer(shop, ['customer', 'member'])
const others: readonly VisitorName[] = ['anonymous', 'guest', 'other member', 'clerk', 'operator']
const valued: readonly [VisitorName, Mode][] = [
  ['customer', 'b2c'],
  ['member', 'b2b'],
]

test('R-414 the page of advantages names the code to customers of high value, on either storefront, and is kept by nobody', async () => {
  for (const [visitor, mode] of valued)
    for (let time = 0; time < 3; time++) {
      const { status, headers, body } = await shop.ask(visitor, mode, '/my-advantages')
      assert.equal(status, 200)
      assert.match(String(headers['cache-control']), /no-store/)
      assert.match(body, new RegExp(`12 % off your next order with the code ${code}`), `${visitor} ${mode}`)
    }
  for (const visitor of others)
    for (const mode of modes) assert.ok(!(await shop.ask(visitor, mode, '/my-advantages')).body.includes(code), `${visitor} ${mode}`)
  assert.equal((await shop.ask('other member', 'b2b', '/my-advantages')).status, 200)
})

/** Queries whose answer contains the code, of all that the API has, with all of their fields. */
async function telling(visitor: VisitorName, mode: Mode): Promise<string[]> {
  const found: string[] = []
  let answered = 0
  for (const root of roots) {
    if (root.kind !== 'query') continue
    const { query, variables } = documentFor(root, {})
    const { body } = await shop.graphql(visitor, mode, query, variables)
    if (body.includes('"answer":')) answered++
    if (body.includes(code)) found.push(root.field.name)
  }
  assert.ok(answered > 40, `${visitor} ${mode}: ${answered} answers`)
  return found
}

for (const mode of modes)
  test(`R-414 no query of the API tells the code to a guest or another customer on ${mode}, the platform config included`, async () => {
    for (const visitor of others) assert.deepEqual(await telling(visitor, mode), [], visitor)
  })

test('R-414 one query alone tells the code to a customer of high value', async () => {
  for (const [visitor, mode] of valued) assert.deepEqual(await telling(visitor, mode), ['myWelcomeOffer'], visitor)
})

test('R-414 no route of the gateway tells the code to anybody without a key', async () => {
  const urls = shop.gateway.routes.flatMap(({ method, url }) => ([method].flat().includes('GET') ? [url] : []))
  assert.ok(urls.length > 40)
  for (const visitor of others)
    for (const mode of modes)
      for (const url of urls) {
        const path = url.replaceAll(/:(\w+)(\([^)]*\))?/g, (_, name: string) => (name === 'market' ? 'gb' : '1')).replace('*', '1/x')
        assert.ok(!(await shop.ask(visitor, mode, path)).body.includes(code), `${visitor} ${mode} ${path}`)
      }
})
