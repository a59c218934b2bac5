import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes, markets, type Market } from '@purlin/contract/markets.ts'
import type { ServiceVat, VatRule } from '#pricing'
import { useSettings } from '#platform/testing'
import { commissionVatOf } from './seller-orders.ts'

const rates: Record<Market, number> = { es: 2100, fr: 2000, gb: 2000, de: 1900, it: 2200 }
const rules = marketCodes.map((market): VatRule => ({
  market,
  categoryId: null,
  rateBp: rates[market],
  flag: null,
  validFrom: '2020-01-01',
  validTo: null,
}))
const commissionVat = (market: Market, country: string, vatNumber: string): ServiceVat =>
  commissionVatOf(rules, market, { country, vatNumber }, new Date('2026-11-30T12:00:00Z'))

const numbers = { FR: 'FR 32 123456789', DE: 'DE123456788', GB: 'GB000410171', CN: '91310000MA1' }
type Country = keyof typeof numbers
const french: ServiceVat = { treatment: 'domestic', rateBp: 2000 }
const german: ServiceVat = { treatment: 'domestic', rateBp: 1900 }
const british: ServiceVat = { treatment: 'gb', rateBp: 2000 }
const reversed: ServiceVat = { treatment: 'reverse-charge', rateBp: 0 }
const outside: ServiceVat = { treatment: 'outside-scope', rateBp: 0 }

const table: [operator: string, seller: Country, withNumber: ServiceVat, without: ServiceVat][] = [
  ['FR12123456789', 'FR', french, french],
  ['FR12123456789', 'DE', reversed, french],
  ['FR12123456789', 'GB', outside, outside],
  ['FR12123456789', 'CN', outside, outside],
  ['de 123.456.788', 'FR', reversed, german],
  ['de 123.456.788', 'DE', german, german],
  ['de 123.456.788', 'GB', outside, outside],
  ['de 123.456.788', 'CN', outside, outside],
  ['GB123456781', 'FR', outside, outside],
  ['GB123456781', 'DE', outside, outside],
  ['GB123456781', 'GB', british, british],
  ['GB123456781', 'CN', outside, outside],
]
for (const [operator, country, withNumber, without] of table)
  test(`the commission of a seller of ${country} to the operator ${operator} is ${withNumber.treatment} with a VAT number and ${without.treatment} without, in every market`, () => {
    useSettings({ OPERATOR_VAT_NUMBER: operator })
    for (const market of marketCodes) {
      assert.deepEqual(commissionVat(market, country, numbers[country]), withNumber, market)
      assert.deepEqual(commissionVat(market, country, ''), without, market)
    }
    useSettings()
  })

test('a number that cannot be one counts as none; one of the operator’s country is charged its VAT wherever the seller is', () => {
  useSettings({ OPERATOR_VAT_NUMBER: 'FR12123456789' })
  assert.deepEqual(commissionVat('de', 'DE', 'DE123456789'), french, 'a wrong check digit')
  assert.deepEqual(commissionVat('de', 'DE', numbers.FR), french)
  useSettings()
})

test('while the operator is a placeholder, each market has an issuer of its own', () => {
  useSettings({})
  for (const market of marketCodes) {
    const own = { treatment: market === 'gb' ? 'gb' : 'domestic', rateBp: rates[market] }
    assert.deepEqual(commissionVat(market, markets[market].country, ''), own)
  }
  assert.deepEqual([commissionVat('fr', 'DE', numbers.DE), commissionVat('gb', 'DE', numbers.DE)], [reversed, outside])
  useSettings()
})
