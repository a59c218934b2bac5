import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes } from '@purlin/contract/markets.ts'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import { testMember } from '@purlin/contract/testing.ts'
import { testScope } from '#platform/testing'
import { siteOf } from './site.ts'

test('R-503 R-650 the configured market determines currency, locale and time zone', () => {
  const sites = marketCodes.map((market) => siteOf(testScope({ market })))
  assert.deepEqual(
    sites.map(({ market, currency, locale, timeZone }) => [market, currency, locale, timeZone]),
    [
      ['es', 'EUR', 'es-ES', 'Europe/Madrid'],
      ['fr', 'EUR', 'fr-FR', 'Europe/Paris'],
      ['gb', 'GBP', 'en-GB', 'Europe/London'],
      ['de', 'EUR', 'de-DE', 'Europe/Berlin'],
      ['it', 'EUR', 'it-IT', 'Europe/Rome'],
    ],
  )
})

test('R-504 R-505 R-506 the storefront mode comes from the settings as well, whoever the visitor is', () => {
  assert.equal(siteOf(testScope({ mode: 'b2c', principal: testMember() })).mode, 'b2c')
  assert.equal(siteOf(testScope({ mode: 'b2b' })).mode, 'b2b')
})

test('prices with VAT are chosen per visit', () => {
  assert.equal(siteOf(testScope()).prefersVat, false)
  assert.equal(siteOf(testScope({ prefersVat: true })).prefersVat, true)
})

test('R-651 a host without a market shows the gb consumer storefront', () => {
  const site = createSiteHosts({ port: 3000 }).siteOf('localhost:3000')
  assert.deepEqual([site?.market, site?.mode], ['gb', 'b2c'])
})

test('R-503 R-504 R-505 R-506 each market has a consumer and a professional host', () => {
  const { siteOf } = createSiteHosts({ port: 3000 })
  for (const market of marketCodes) {
    assert.deepEqual([siteOf(`${market}.localhost:3000`)?.market, siteOf(`${market}.localhost:3000`)?.mode], [market, 'b2c'])
    assert.deepEqual([siteOf(`pro.${market}.localhost:3000`)?.market, siteOf(`pro.${market}.localhost:3000`)?.mode], [market, 'b2b'])
  }
})
