/** Facts that other programs and people rely on, written a second time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressFormats, mobilePhoneOf, phoneOf, postcodeOf, townLines, type AddressCountry } from './addresses.ts'
import { httpStatus } from './http-status.ts'
import { authProviders, callbackPath, isAuthProvider, isRealm, issuerOf } from './identity.ts'
import { isMarket, isMode, marketCodes, markets } from './markets.ts'
import { buildUrl, matchPath, pathSegments, segmentsOf } from './path-helper.ts'
import { createSiteHosts } from './site-settings.ts'

test('R-002…R-007 a market has its country, currency, language, time zone and domain', () => {
  const rows = marketCodes.map((code) => {
    const { market, country, currency, language, locale, timeZone, suffix, b2bPricesIncludeVat } = markets[code]
    return [market, country, currency, language, locale, timeZone, suffix, b2bPricesIncludeVat].join(' ')
  })
  assert.deepEqual(rows, [
    'es ES EUR es es-ES Europe/Madrid .es false',
    'fr FR EUR fr fr-FR Europe/Paris .fr false',
    'gb GB GBP en en-GB Europe/London .co.uk true',
    'de DE EUR de de-DE Europe/Berlin .de false',
    'it IT EUR it it-IT Europe/Rome .it false',
  ])
  assert.deepEqual(['gb', 'us', 1].map(isMarket), [true, false, false])
  assert.deepEqual(['b2c', 'b2b', 'b2x'].map(isMode), [true, true, false])
})

const forms: Record<AddressCountry, [keyboard: string, dialCode: string, envelope: string]> = {
  ES: ['numeric', '34', '28001 Town'],
  FR: ['numeric', '33', '75011 Town'],
  GB: ['text', '44', 'Town|SW1A 1AA'],
  DE: ['numeric', '49', '10115 Town'],
  IT: ['numeric', '39', '00184 Town'],
}
for (const [country, [keyboard, dialCode, envelope]] of Object.entries(forms) as [AddressCountry, [string, string, string]][])
  test(`an address in ${country} has its keyboard, its code and its envelope, and the example is a postcode`, () => {
    const format = addressFormats[country]
    assert.deepEqual([format.keyboard, format.dialCode], [keyboard, dialCode])
    assert.equal(postcodeOf(country, format.example), format.example)
    assert.equal(townLines({ country, postcode: format.example, city: 'Town' }).join('|'), envelope)
  })

test('a postcode is normalised to the country’s format; an invalid one is rejected', () => {
  assert.equal(postcodeOf('GB', 'sw1a1aa'), 'SW1A 1AA')
  assert.equal(postcodeOf('GB', ' m1-1ae '), 'M1 1AE')
  assert.equal(postcodeOf('GB', 'm1ae'), null)
  assert.equal(postcodeOf('DE', '10 115'), '10115')
  assert.equal(postcodeOf('DE', '1011'), null)
  assert.equal(postcodeOf('US', '10115'), null)
  assert.equal(postcodeOf('DE', `10115${' '.repeat(15)}`), '10115')
  assert.equal(postcodeOf('DE', `1011${' '.repeat(15)}5`), '10115', 'twenty characters are read')
  assert.equal(postcodeOf('DE', `1011${' '.repeat(16)}5`), null, 'and no more')
})

test('a phone number is parsed with or without its country code; one of another country is kept as it is', () => {
  assert.equal(phoneOf('GB', '07700 900123'), '+44 7700900123')
  assert.equal(phoneOf('GB', '+44 (7700) 900-123'), '+44 7700900123')
  assert.equal(phoneOf('GB', '0044 7700.900123'), '+44 7700900123')
  assert.equal(phoneOf('IT', '06 1234567'), '+39 061234567')
  assert.equal(phoneOf('DE', '+1 2345678'), '+12345678')
  assert.equal(phoneOf('DE', '+1 234567'), null)
  assert.equal(phoneOf('DE', '1234'), null)
  assert.equal(phoneOf('DE', 'call me'), null)
  assert.equal(phoneOf('US', '07700 900123'), null)
  assert.equal(phoneOf('DE', `030 1234567${' '.repeat(29)}`), '+49 301234567')
  assert.equal(phoneOf('DE', `030 123456${' '.repeat(29)}7`), '+49 301234567', 'forty characters are read')
  assert.equal(phoneOf('DE', `030 123456${' '.repeat(30)}7`), '+49 30123456', 'and no more')
})

test('a mobile phone of the five countries is written in one way, wherever and however it is entered; landlines, premium and personal numbers are none', () => {
  const mobiles: [string, string, string][] = [
    ['GB', '07700 900123', '+44 7700900123'],
    ['GB', '+44 07700 900123', '+44 7700900123'],
    ['FR', '+44 7700 900123', '+44 7700900123'],
    ['FR', '+44 (0)7700 900123', '+44 7700900123'],
    ['DE', '0044 07700 900123', '+44 7700900123'],
    ['DE', '0160 1234567', '+49 1601234567'],
    ['DE', '0151 23456789', '+49 15123456789'],
    ['GB', '+49 (0)176 12345678', '+49 17612345678'],
    ['FR', '06 12 34 56 78', '+33 612345678'],
    ['IT', '+33 07 12 34 56 78', '+33 712345678'],
    ['ES', '612 345 678', '+34 612345678'],
    ['ES', '711 345 678', '+34 711345678'],
    ['IT', '312 345 6789', '+39 3123456789'],
    ['GB', '+39 312 345 678', '+39 312345678'],
  ]
  for (const [country, typed, written] of mobiles) assert.equal(mobilePhoneOf(country, typed), written, `${country} ${typed}`)
  const others: [string, string][] = [
    ['GB', '020 7946 0123'],
    ['GB', '0909 8790123'],
    ['GB', '070 1234 5678'],
    ['GB', '076 1234 5678'],
    ['FR', '+44 909 879 0123'],
    ['FR', '+44 070 1234 5678'],
    ['DE', '030 1234567'],
    ['DE', '0900 1234567'],
    ['DE', '0700 12345678'],
    ['DE', '0164 1234567'],
    ['DE', '0160 123456'],
    ['FR', '01 99 00 12 34'],
    ['FR', '08 99 12 34 56'],
    ['ES', '910 000 000'],
    ['ES', '806 123 456'],
    ['ES', '701 234 567'],
    ['IT', '031 2345678'],
    ['IT', '02 00000000'],
    ['IT', '899 123456'],
    ['GB', '+1 900 555 0123'],
    ['GB', '+371 29 123 456'],
    ['US', '07700 900123'],
    ['GB', 'call me'],
  ]
  for (const [country, typed] of others) assert.equal(mobilePhoneOf(country, typed), null, `${country} ${typed}`)
})

test('the statuses are those of HTTP', () => {
  const written = Object.entries(httpStatus).map(([name, status]) => `${status} ${name}`)
  assert.deepEqual(written.toSorted(), [
    '200 ok',
    '201 created',
    '204 noContent',
    '301 movedPermanently',
    '302 found',
    '303 seeOther',
    '304 notModified',
    '307 temporaryRedirect',
    '308 permanentRedirect',
    '400 badRequest',
    '401 unauthorized',
    '403 forbidden',
    '404 notFound',
    '405 methodNotAllowed',
    '409 conflict',
    '410 gone',
    '413 contentTooLarge',
    '415 unsupportedMediaType',
    '422 unprocessable',
    '424 failedDependency',
    '429 tooManyRequests',
    '500 internalError',
    '503 unavailable',
    '504 gatewayTimeout',
  ])
})

test('each auth provider signs in at its realm, which has an issuer of its own', () => {
  assert.deepEqual(authProviders, { 'keycloak-b2c': 'b2c', 'keycloak-b2b': 'b2b', keycloak: 'unified', 'keycloak-staff': 'staff' })
  assert.equal(callbackPath('keycloak-b2b'), '/api/auth/callback/keycloak-b2b')
  assert.equal(issuerOf('https://id.example', 'staff'), 'https://id.example/realms/staff')
  assert.deepEqual(['b2c', 'unified', 'other', 7].map(isRealm), [true, true, false, false])
  assert.deepEqual(['keycloak', 'b2c', 'toString', 7].map(isAuthProvider), [true, false, false, false])
})

test('the default port of a scheme is not part of an origin', () => {
  const origin = (port: number, scheme: 'http' | 'https') => createSiteHosts({ port, scheme }).site('gb', 'b2c').origin
  assert.equal(origin(80, 'http'), 'http://gb.localhost')
  assert.equal(origin(443, 'https'), 'https://gb.localhost')
  assert.equal(origin(443, 'http'), 'http://gb.localhost:443')
  assert.equal(origin(80, 'https'), 'https://gb.localhost:80')
  const real = createSiteHosts({ port: 1, realHosts: 'x=gb/b2c' })
  assert.equal(real.siteOf('x:8080')?.market, 'gb')
  assert.equal(real.siteOf(':x'), null)
})

test('the first of several domains of a storefront is its primary one, and an IPv6 host has a port of its own', () => {
  const { site, siteOf } = createSiteHosts({ port: 3000, realHosts: 'a.example=gb/b2c,b.example=gb/b2c' })
  assert.equal(site('gb', 'b2c').host, 'a.example')
  assert.equal(siteOf('[::1]:3000')?.market, 'gb')
})

test('a pattern may be open only at its end, and a path contains no control character anywhere', () => {
  assert.throws(() => segmentsOf('/a/{b?}/c'), /Only the last segment/)
  assert.throws(() => segmentsOf('/a/{b*}/c'), /Only the last segment/)
  for (const path of ['/%00', '/a%1Fb', '/a/b%7F']) assert.equal(pathSegments(path), null, path)
  assert.deepEqual(pathSegments('/a%20b'), ['a b'])
  assert.deepEqual(pathSegments('?a=1'), [], 'a query alone')
  assert.equal(buildUrl(''), '/')
  assert.equal(buildUrl('/{a?}'), '/')
  assert.deepEqual(matchPath('/x/{kind:trade|industry}', '/x/trade'), { kind: 'trade' })
  assert.equal(matchPath('/x/{kind:trade|industry}', '/x/other'), null)
  const fixed = (pattern: string) => segmentsOf(pattern)[0]?.fixed
  assert.deepEqual([fixed('/{a:b|c}'), fixed('/{a}'), fixed('/s-{a:b|c}')], [1, 0, 3])
})
