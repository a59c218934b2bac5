import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes, markets, modes, type Market, type Mode } from '@purlin/contract/markets.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import { testCustomer, testGuest, testMember } from '@purlin/contract/testing.ts'
import { differsFromPages, priceDisplay, showsOtherTaxMode, taxKey } from './tax-mode.ts'

const guest = testGuest()
const consumer = testCustomer()
const company = (country: string) => testMember({ company: { country } })

function keyOf(market: Market, mode: Mode, principal: Principal, prefersVat: boolean, sellerCountry: string): string {
  return taxKey(priceDisplay({ market, mode, principal, prefersVat }), sellerCountry)
}

/** Every case: one line per column that gives a price without VAT, spelled out by market. */
test('R-511 R-512 R-513 R-514 R-500 the whole truth table of the tax mode', () => {
  const countries = ['ES', 'FR', 'GB', 'DE', 'IT', 'PL']
  let withoutVat = 0
  let cases = 0
  for (const market of marketCodes) {
    const home = markets[market].country
    const everybody: { principal: Principal; business: boolean; country: string }[] = [
      { principal: guest, business: false, country: home },
      { principal: consumer, business: false, country: home },
      ...countries.map((country) => ({ principal: company(country), business: true, country })),
    ]
    for (const mode of modes) {
      for (const { principal, business, country } of everybody) {
        for (const prefersVat of [false, true]) {
          for (const seller of countries) {
            const professional = business || mode === 'b2b'
            const expected = professional && market !== 'gb' && !prefersVat && seller === country ? 'without_vat' : 'with_vat'
            assert.equal(
              keyOf(market, mode, principal, prefersVat, seller),
              expected,
              JSON.stringify({ market, mode, principal, prefersVat, seller }),
            )
            cases += 1
            withoutVat += expected === 'without_vat' ? 1 : 0
          }
        }
      }
    }
  }
  assert.equal(cases, 5 * 2 * 8 * 2 * 6)
  // es fr de it, with the choice unset: on the b2b host two viewers without a company and six with one, on b2c six.
  assert.equal(withoutVat, 4 * (2 + 6 + 6))
})

for (const market of marketCodes) {
  const home = markets[market].country
  test(`R-020 R-499 R-501 ${market}: guests and consumers see prices with VAT`, () => {
    for (const principal of [guest, consumer]) assert.equal(keyOf(market, 'b2c', principal, false, home), 'with_vat')
  })
}

for (const market of ['es', 'fr', 'de', 'it'] as const) {
  const home = markets[market].country
  test(`R-021 R-511 ${market}: a professional sees a domestic seller’s prices without VAT`, () => {
    assert.equal(keyOf(market, 'b2b', company(home), false, home), 'without_vat')
  })
  test(`R-021 ${market}: on the professional storefront everybody counts as a business for display`, () => {
    assert.equal(keyOf(market, 'b2b', guest, false, home), 'without_vat')
    assert.equal(keyOf(market, 'b2b', consumer, false, home), 'without_vat')
  })
  test(`R-512 ${market}: a viewer who opted for prices with VAT sees them`, () => {
    assert.equal(keyOf(market, 'b2b', company(home), true, home), 'with_vat')
    assert.equal(keyOf(market, 'b2b', guest, true, home), 'with_vat')
  })
  test(`R-513 ${market}: prices of a seller in another country than the customer's include VAT`, () => {
    assert.equal(keyOf(market, 'b2b', guest, false, 'PL'), 'with_vat')
    assert.equal(keyOf(market, 'b2b', company('PL'), false, home), 'with_vat')
    assert.equal(keyOf(market, 'b2b', company('PL'), false, 'PL'), 'without_vat')
  })
}

test('R-022 gb shows professionals prices with VAT, for any seller', () => {
  for (const seller of ['GB', 'FR']) assert.equal(keyOf('gb', 'b2b', company('GB'), false, seller), 'with_vat')
})

test('R-384 the other tax mode is shown only to professionals, and only where it could apply', () => {
  const pro = priceDisplay({ market: 'gb', mode: 'b2b', principal: guest, prefersVat: false })
  assert.equal(showsOtherTaxMode(pro, 'GB'), true)
  assert.equal(showsOtherTaxMode(pro, 'FR'), false)
  assert.equal(showsOtherTaxMode(priceDisplay({ market: 'gb', mode: 'b2c', principal: consumer, prefersVat: false }), 'GB'), false)
})

test('two viewers share a cache key exactly when every seller shows them the same tax mode', () => {
  const keys = new Map<string, string>()
  for (const mode of modes) {
    for (const principal of [guest, consumer, company('FR'), company('DE')]) {
      for (const prefersVat of [false, true]) {
        const display = priceDisplay({ market: 'fr', mode, principal, prefersVat })
        const sees = JSON.stringify([display.business, ...['FR', 'DE', 'PL'].map((seller) => taxKey(display, seller))])
        assert.equal(keys.get(display.key) ?? sees, sees)
        keys.set(display.key, sees)
      }
    }
  }
  assert.ok(keys.size >= 4)
})

test('R-513 a member sees other prices than the page for everybody if their company is from another country and the market leaves VAT out', () => {
  const differs = (market: Market, country: string, prefersVat = false) =>
    differsFromPages(priceDisplay({ market, mode: 'b2b', principal: company(country), prefersVat }))
  for (const market of marketCodes) {
    const home = markets[market].country
    const abroad = home === 'DE' ? 'FR' : 'DE'
    assert.equal(differs(market, home), false, market)
    assert.equal(differs(market, abroad), market !== 'gb', market)
    assert.equal(differs(market, abroad, true), false, market)
  }
})
