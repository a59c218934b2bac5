import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes } from '@purlin/contract/markets.ts'
import { testScope } from '#platform/testing'
import { resolvers } from './graphql.ts'
import { addressLine, sellsTo, type Seller } from './seller.ts'

const seller = {
  id: 7,
  country: 'DE',
  address: { line1: 'Werkstraße 8', line2: 'Hof', postcode: '42000', city: 'Wuppertal', region: 'NRW', country: 'DE' },
  about: { en: 'Tools', fr: 'Outils' },
  returnTerms: { de: '30 Tage' },
} as Seller

test('a seller’s country is named in the language of the market, even when requested again', () => {
  for (let time = 0; time < 2; time += 1) {
    assert.deepEqual(
      marketCodes.map((market) => resolvers.Seller.countryName(seller, {}, testScope({ market }))),
      ['Alemania', 'Allemagne', 'Germany', 'Deutschland', 'Germania'],
    )
  }
})

test('a seller’s own description is shown in the market’s language, or not at all', () => {
  const about = marketCodes.map((market) => resolvers.Seller.about(seller, {}, testScope({ market })))
  assert.deepEqual(about, [null, 'Outils', 'Tools', null, null])
  assert.equal(resolvers.Seller.returnTerms(seller, {}, testScope({ market: 'de' })), '30 Tage')
  assert.equal(resolvers.Seller.returnTerms(seller, {}, testScope()), null)
})

test('an imprint is one line, with the name of the country added once', () => {
  assert.equal(addressLine(seller.address), 'Werkstraße 8, Hof, 42000 Wuppertal, NRW')
  assert.equal(resolvers.Seller.address(seller), 'Werkstraße 8, Hof, 42000 Wuppertal, NRW')
  assert.equal(resolvers.Seller.url(seller), '/seller-7')
})

test('every trading seller sells to professionals; trade-only sellers do not sell to consumers', () => {
  for (const status of ['active', 'restricted'] as const) {
    for (const isB2b of [true, false]) {
      assert.equal(sellsTo({ status, isB2b }, 'b2b'), true)
      assert.equal(sellsTo({ status, isB2b }, 'b2c'), !isB2b)
    }
  }
})
