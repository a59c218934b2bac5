import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes } from '@purlin/contract/markets.ts'
import { phoneOf, postcodeOf } from '@purlin/contract/addresses.ts'
import { isEmail } from '@purlin/contract/email.ts'
import { cpuMsOf } from '@purlin/contract/testing.ts'
import { checkAddress } from './address-rules.ts'
import { addresses } from './testing.ts'

test('postcodes are accepted in the spellings usual in their country and formatted for its postal service', () => {
  const right: [string, string, string][] = [
    ['GB', 'sw1a1aa', 'SW1A 1AA'],
    ['GB', 'M1 1AE', 'M1 1AE'],
    ['GB', 'b33 8th', 'B33 8TH'],
    ['GB', 'EC1A1BB', 'EC1A 1BB'],
    ['GB', 'w1a 0ax', 'W1A 0AX'],
    ['DE', '01067', '01067'],
    ['DE', ' 99998', '99998'],
    ['FR', '75 001', '75001'],
    ['FR', '97400', '97400'],
    ['ES', '28001', '28001'],
    ['ES', '52006', '52006'],
    ['IT', '00184', '00184'],
  ]
  for (const [country, typed, printed] of right) assert.equal(postcodeOf(country, typed), printed, `${country} ${typed}`)
  const wrong: [string, string][] = [
    ['GB', '12345'],
    ['GB', 'QQ1 1QQ1'],
    ['GB', ''],
    ['DE', '1067'],
    ['DE', '00123'],
    ['FR', '00100'],
    ['FR', '99000'],
    ['ES', '53001'],
    ['IT', '184'],
    ['XX', '12345'],
  ]
  for (const [country, typed] of wrong) assert.equal(postcodeOf(country, typed), null, `${country} ${typed}`)
})

test('phone numbers are accepted with and without the country code', () => {
  const right: [string, string, string][] = [
    ['GB', '07700 900123', '+44 7700900123'],
    ['GB', '+44 (0)7700 900123', '+44 7700900123'],
    ['GB', '0044 7700 900123', '+44 7700900123'],
    ['FR', '06 12 34 56 78', '+33 612345678'],
    ['DE', '030/123456', '+49 30123456'],
    ['ES', '612 345 678', '+34 612345678'],
    ['IT', '06 1234567', '+39 061234567'],
    ['IT', '+39 312 345 6789', '+39 3123456789'],
    ['FR', '+44 7700 900123', '+447700900123'],
  ]
  for (const [country, typed, kept] of right) assert.equal(phoneOf(country, typed), kept, `${country} ${typed}`)
  for (const typed of ['', 'call me', '123', '+', '0'.repeat(30), '06 12 34 56 7x']) assert.equal(phoneOf('FR', typed), null, typed)
})

test('A63: only a single mailbox is a valid address; lists, blanks, line breaks and injections are not', () => {
  for (const email of ['robin@example.com', 'r.o+tag@sub.example.co.uk', "o'neill@example.org", 'kim@müller.example'])
    assert.ok(isEmail(email), email)
  const wrong = [
    '',
    'robin',
    '@example.com',
    'robin@',
    'robin@example',
    'a@b.com,c@d.com',
    'a@b.com c@d.com',
    'a@b.com\r\nBcc: c@d.com',
    '<a@b.com>',
    'a@@b.com',
    '.a@b.com',
    'a..b@c.com',
    'a@-b.com',
    'a@b..com',
    'a\u200b@b.com',
    'a\u034f@b.com',
    '\uff41@b.com',
    'a@b.c\u00ba',
    `${'a'.repeat(65)}@b.com`,
    `a@${'b'.repeat(250)}.com`,
  ]
  for (const email of wrong) assert.equal(isEmail(email), false, JSON.stringify(email))
})

test('A60: a hundred thousand characters are validated instantly', async () => {
  const evils = ['a'.repeat(100_000), `${'a.'.repeat(50_000)}@b.com`, `a@${'b-'.repeat(50_000)}`, ' '.repeat(100_000), '0'.repeat(100_000)]
  const took = await cpuMsOf(() => {
    for (const evil of evils) {
      isEmail(evil)
      postcodeOf('GB', evil)
      phoneOf('DE', evil)
      checkAddress('gb', { ...addresses.gb, line1: evil, city: evil })
    }
  })
  assert.ok(took < 250, `${took} ms`)
})

for (const market of marketCodes) {
  test(`an address in ${market} is stored as it will be printed; every invalid field is named`, () => {
    const good = checkAddress(market, addresses[market])
    assert.ok('address' in good, JSON.stringify(good))
    assert.equal(good.billing, good.address)
    const bad = checkAddress(market, {
      ...addresses[market],
      firstName: ' ',
      line1: 'x'.repeat(101),
      city: 'Lon\u202edon',
      postcode: '!',
      phone: 'call me',
      vatNumber: 'XX1',
    })
    assert.deepEqual('fields' in bad && bad.fields, {
      firstName: 'missing',
      line1: 'too-long',
      city: 'signs',
      postcode: 'postcode-format',
      phone: 'phone-format',
      vatNumber: 'vat-number-format',
    })
  })
}

test('a billing address may be in another of the five countries', () => {
  const billing = { name: 'Example Bau GmbH', line1: 'Hauptstr. 1', postcode: '10115', city: 'Berlin', country: 'de' }
  const good = checkAddress('fr', { ...addresses.fr, billing })
  assert.ok('address' in good)
  assert.deepEqual([good.billing.country, good.billing.postcode, good.address.country], ['DE', '10115', 'FR'])
  const bad = checkAddress('fr', { ...addresses.fr, billing: { ...billing, country: 'US', postcode: '' } })
  assert.deepEqual('fields' in bad && bad.fields, { 'billing.country': 'country-unknown', 'billing.postcode': 'missing' })
})
