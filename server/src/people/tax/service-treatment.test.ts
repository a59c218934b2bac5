import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceTreatment, type ServiceTreatment } from './service-treatment.ts'

/** Companies of whom nothing is known but a confirmed number, or none. */
const companies: [issuer: string, country: string, vatNumber: string | null, treatment: ServiceTreatment][] = [
  ['FR', 'FR', 'FR12345678901', 'domestic'],
  ['FR', 'BE', null, 'domestic'],
  ['FR', 'BE', 'BE0123456789', 'reverse-charge'],
  ['FR', 'BE', 'DE123456789', 'reverse-charge'],
  ['DE', 'GR', 'EL123456789', 'reverse-charge'],
  ['FR', 'GB', 'DE123456789', 'reverse-charge'],
  // Established in the issuer's country, by its address or its number.
  ['FR', 'BE', 'FR12345678901', 'domestic'],
  ['FR', 'FR', 'DE123456789', 'domestic'],
  ['FR', 'FR', 'GB123456789', 'domestic'],
  // Between the Union and the United Kingdom, to which Northern Ireland belongs for services.
  ['FR', 'GB', null, 'domestic'],
  ['FR', 'GB', 'GB123456789', 'outside-scope'],
  ['DE', 'GB', 'XI123456789', 'outside-scope'],
  ['FR', 'BE', 'GB123456789', 'outside-scope'],
  ['FR', 'IE', 'XI123456789', 'outside-scope'],
  ['GB', 'FR', 'FR12345678901', 'outside-scope'],
  ['GB', 'GR', 'EL123456789', 'outside-scope'],
  ['GB', 'FR', null, 'gb'],
  ['GB', 'GB', 'GB123456789', 'gb'],
  ['GB', 'IE', 'XI123456789', 'gb'],
  ['GB', 'GB', 'FR12345678901', 'gb'],
  ['GB', 'US', null, 'gb'],
]
for (const [issuer, country, vatNumber, treatment] of companies)
  test(`R-256 a service from ${issuer} to a company of ${country} with ${vatNumber ?? 'no confirmed number'} is ${treatment}`, () =>
    assert.equal(serviceTreatment(issuer, { country, vatNumber, isKnownBusiness: false }), treatment))

test('a known business without a number is charged VAT within the Union, and none across its border', () => {
  const without = (issuer: string, country: string) => serviceTreatment(issuer, { country, vatNumber: null, isKnownBusiness: true })
  assert.deepEqual([without('FR', 'FR'), without('FR', 'DE')], ['domestic', 'domestic'])
  assert.deepEqual([without('FR', 'GB'), without('FR', 'CN')], ['outside-scope', 'outside-scope'])
  assert.deepEqual([without('GB', 'GB'), without('GB', 'DE'), without('GB', 'CN')], ['gb', 'outside-scope', 'outside-scope'])
})
