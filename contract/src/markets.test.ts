import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMarket, marketCodes, markets, modes, type Market } from './markets.ts'

test('R-002 there are five markets, and nothing else is accepted as one', () => {
  assert.deepEqual([...marketCodes].sort(), ['de', 'es', 'fr', 'gb', 'it'])
  assert.deepEqual(Object.keys(markets).sort(), [...marketCodes].sort())
  for (const wrong of ['uk', 'GB', '', 'toString', 'pt', null, 0]) assert.equal(isMarket(wrong), false, String(wrong))
})

const facts: [id: string, market: Market, currency: string, timeZone: string, suffix: string][] = [
  ['R-003', 'es', 'EUR', 'Europe/Madrid', '.es'],
  ['R-004', 'fr', 'EUR', 'Europe/Paris', '.fr'],
  ['R-005', 'gb', 'GBP', 'Europe/London', '.co.uk'],
  ['R-006', 'de', 'EUR', 'Europe/Berlin', '.de'],
  ['R-007', 'it', 'EUR', 'Europe/Rome', '.it'],
]
for (const [id, market, currency, timeZone, suffix] of facts) {
  test(`${id} market ${market}: ${currency}, ${timeZone}, ${suffix}`, () => {
    const is = markets[market]
    assert.deepEqual([is.market, is.currency, is.timeZone, is.suffix], [market, currency, timeZone, suffix])
    // The platform must know them too: the currency for formatting, the zone for local times.
    assert.equal(new Intl.DateTimeFormat(is.locale, { timeZone }).resolvedOptions().timeZone, timeZone)
    assert.equal(new Intl.NumberFormat(is.locale, { style: 'currency', currency }).resolvedOptions().currency, currency)
  })
}

test('each market has a consumer and a professional storefront', () => assert.deepEqual(modes, ['b2c', 'b2b']))
