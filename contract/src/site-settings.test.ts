import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes, modes } from './markets.ts'
import { createSiteHosts, parseRealHosts, prefersVat } from './site-settings.ts'

const hosts = createSiteHosts({ port: 3000 })

test('R-032 every market and mode has its host, with any port and in any case', () => {
  for (const market of marketCodes) {
    for (const mode of modes) {
      const host = `${mode === 'b2b' ? 'pro.' : ''}${market}.localhost`
      for (const header of [host, `${host}:3000`, host.toUpperCase(), `${host}.:80`]) {
        const site = hosts.siteOf(header)
        assert.deepEqual([site?.market, site?.mode], [market, mode], header)
      }
      assert.equal(hosts.site(market, mode).origin, `http://${host}:3000`)
    }
  }
})

test('bare localhost is gb, b2c, and keeps its own origin', () => {
  const site = hosts.siteOf('localhost:3000')
  assert.deepEqual([site?.market, site?.mode, site?.origin], ['gb', 'b2c', 'http://localhost:3000'])
})

test('R-598 an unknown host has no site, however similar its name (A46)', () => {
  for (const host of [
    'evil.com',
    'gb.localhost.evil.com',
    'pro.pro.gb.localhost',
    'us.localhost',
    '',
    undefined,
    'gb.localhost@evil.com',
    '__proto__',
    'localhost, evil.com',
  ]) {
    assert.equal(hosts.siteOf(host), null, String(host))
  }
})

test('real domains come from the settings, and links then use them', () => {
  const real = createSiteHosts({ port: 3000, realHosts: 'www.purlin.co.uk=gb/b2c, pro.purlin.co.uk=gb/b2b,www.purlin.de=de' })
  assert.equal(real.siteOf('www.purlin.co.uk')?.origin, 'https://www.purlin.co.uk')
  assert.equal(real.siteOf('pro.purlin.co.uk')?.mode, 'b2b')
  assert.equal(real.site('gb', 'b2c').origin, 'https://www.purlin.co.uk')
  assert.equal(real.site('de', 'b2c').origin, 'https://www.purlin.de')
  assert.equal(real.site('fr', 'b2c').origin, 'http://fr.localhost:3000', 'markets without a real domain keep their local one')
  assert.equal(real.siteOf('de.localhost')?.market, 'de')
})

test('V-24 a shop on real domains serves no other host, and neither lists nor links markets without one', () => {
  const only = createSiteHosts({ port: 3000, realHosts: 'www.purlin.co.uk=gb/b2c,www.purlin.de=de', onlyNamed: true })
  for (const host of ['localhost', '127.0.0.1', '[::1]', 'gb.localhost', 'pro.de.localhost:3000', 'fr.localhost'])
    assert.equal(only.siteOf(host), null, host)
  assert.equal(only.siteOf('www.purlin.de:443')?.market, 'de')
  assert.deepEqual(
    only.sites.map(({ origin }) => origin),
    ['https://www.purlin.co.uk', 'https://www.purlin.de'],
  )
  assert.deepEqual([only.serves('de', 'b2c'), only.serves('de', 'b2b'), only.serves('fr', 'b2c')], [true, false, false])
})

test('an invalid host setting is named in the error', () => {
  assert.throws(() => parseRealHosts('www.purlin.fr=xx/b2c'), /www\.purlin\.fr=xx\/b2c/)
  assert.throws(() => parseRealHosts('nonsense'), /nonsense/)
  assert.deepEqual(parseRealHosts(''), [])
})

test('the VAT display choice takes effect only on a professional storefront outside gb', () => {
  const chosen = 'a=b; mm_vat_display=with; c=d'
  assert.equal(prefersVat(hosts.site('de', 'b2b'), chosen), true)
  assert.equal(prefersVat(hosts.site('de', 'b2b'), 'xmm_vat_display=with'), false)
  assert.equal(prefersVat(hosts.site('de', 'b2b'), 'mm_vat_display=without'), false)
  assert.equal(prefersVat(hosts.site('de', 'b2c'), chosen), false)
  assert.equal(prefersVat(hosts.site('gb', 'b2b'), chosen), false)
})
