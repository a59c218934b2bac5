import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { addressFormats, isAddressCountry, type AddressCountry } from '@purlin/contract/addresses.ts'
import fc from 'fast-check'
import { forgetSwitches, setFlag } from '#flags'
import { log } from '#platform'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { plainOf, suggestTowns } from './gazetteer.ts'
import { towns } from '@purlin/contract/towns.ts'

const database = await testDatabase()
const gateway = await testGateway(database.pool)

async function suggested(query: Record<string, string>): Promise<{ status: number; body: unknown; headers: Headers }> {
  const answer = await fetch(`${gateway.url}/api/v1/address-suggestions?${new URLSearchParams(query)}`)
  return { status: answer.status, body: await answer.json(), headers: answer.headers }
}
const at = (country: string, text: string) => suggested({ country, text })
const cities = (country: AddressCountry, text: string) => suggestTowns(country, text).map(({ city }) => city)

test('R-699 pepeAutocompleteAddress: a whole postcode brings its town, in each of the five countries', async () => {
  const cases: [country: string, typed: string, city: string, postcode: string][] = [
    ['DE', '10117', 'Berlin', '10117'],
    ['FR', '75011', 'Paris', '75011'],
    ['FR', '13008', 'Marseille', '13008'],
    ['ES', '08025', 'Barcelona', '08025'],
    ['IT', '00184', 'Roma', '00184'],
    ['GB', 'sw1a 1aa', 'London', 'SW1A'],
    ['GB', 'M1 1AE', 'Manchester', 'M1'],
    ['GB', 'BT17 9AB', 'Belfast', 'BT17'],
  ]
  for (const [country, typed, city, postcode] of cases)
    assert.deepEqual((await at(country, typed)).body, [{ line1: null, postcode, city }], typed)
})

test('a town is found by a prefix of any of its words, ignoring accents', () => {
  assert.deepEqual(cities('DE', 'munch'), ['München'])
  assert.deepEqual(cities('FR', 'saint etienne'), ['Saint-Étienne'])
  assert.deepEqual(cities('GB', 'hull'), ['Kingston upon Hull'])
  assert.deepEqual(cities('ES', 'coru'), ['A Coruña'])
  assert.deepEqual(suggestTowns('IT', 'como'), [{ line1: null, postcode: '22100', city: 'Como' }])
  assert.equal(cities('FR', 'bo')[0], 'Bordeaux')
  for (const nothing of ['', 'b', ' ', '75', 'xyz', '99999', '...']) assert.ok(suggestTowns('FR', nothing).length <= 6, nothing)
  assert.deepEqual(cities('DE', '99999'), [])
})

test('every postcode of the gazetteer is one of its country, and brings the town it is listed with', () => {
  for (const [country, text] of Object.entries(towns)) {
    assert.ok(isAddressCountry(country))
    for (const entry of text.split(';')) {
      const [, city = '', list = ''] = /^\s*(.+): (.+)$/s.exec(entry) ?? []
      for (const code of list.split(/[,-]/).map((each) => each.trim())) {
        if (country !== 'GB') assert.match(code, addressFormats[country].postcode, `${country} ${code}`)
        assert.ok(cities(country, country === 'GB' ? `${code} 1AA` : code).includes(city), `${country} ${code} ${city}`)
      }
    }
  }
  assert.ok(Object.values(towns).join('').length < 20_000, 'it stays small')
})

test('whatever is typed, there are at most six suggestions, each of the gazetteer', () => {
  fc.assert(
    fc.property(fc.constantFrom('DE', 'FR', 'GB', 'ES', 'IT'), fc.string({ maxLength: 100 }), (country, typed) => {
      const found = suggestTowns(country, typed)
      assert.ok(found.length <= 6)
      assert.ok(found.every(({ city }) => towns[country].includes(city)))
    }),
  )
  assert.equal(plainOf(' Saint-Étienne '), 'saint etienne')
})

test('an invalid country or an overlong text is 400; responses are not cached', async () => {
  for (const query of [{ text: 'Paris' }, { country: 'XX', text: 'Paris' }, { country: 'FR' }, { country: 'FR', text: 'x'.repeat(101) }])
    assert.equal((await suggested(query as Record<string, string>)).status, 400, JSON.stringify(query))
  assert.equal((await at('FR', 'Paris')).headers.get('cache-control'), 'no-store')
})

/** A geocoder of the tests. */
let answering: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => response.end('{}')
let questions = 0
const server = createServer((request, response) => {
  questions++
  answering(request, response)
}).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
server.unref()
after(() => server.close())
const geocoder = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
const says = (...features: object[]) => {
  answering = (_request, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify({ features }))
}
const feature = (properties: object) => ({ properties: { countrycode: 'FR', postcode: '75011', city: 'Paris', ...properties } })

test('with a geocoder streets are completed too, as the country writes them; places elsewhere and broken ones are left out', async () => {
  useSettings({ GEOCODER_URL: geocoder })
  let asked = ''
  const features = [
    feature({ street: 'Rue Oberkampf', housenumber: '12' }),
    feature({ countrycode: 'DE', street: 'Rue Oberkampf' }),
    feature({ postcode: 'none', street: 'Rue' }),
    feature({ street: 'Rue <script>\u202e' }),
  ]
  answering = (request, response) => {
    asked = request.url ?? ''
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ features }))
  }
  const { body } = await at('FR', '12 rue oberkampf')
  assert.match(asked, /q=12\+rue\+oberkampf%2C\+FR/)
  assert.deepEqual(body, [
    { line1: '12 Rue Oberkampf', postcode: '75011', city: 'Paris' },
    { line1: 'Rue script', postcode: '75011', city: 'Paris' },
  ])
  const before = questions
  await at('FR', '12 Rue Oberkampf')
  assert.equal(questions, before, 'the same is not asked twice')
  says({ properties: { countrycode: 'DE', postcode: '10115', city: 'Berlin', street: 'Chausseestraße', housenumber: '5' } })
  assert.deepEqual((await at('DE', 'chausseestr 5')).body, [{ line1: 'Chausseestraße 5', postcode: '10115', city: 'Berlin' }])
})

test('a geocoder that is slow, down or talks nonsense costs a moment: the gazetteer answers', async () => {
  useSettings({ GEOCODER_URL: geocoder })
  const faults: (typeof answering)[] = [
    () => undefined,
    (_request, response) => response.destroy(),
    (_request, response) => response.writeHead(500).end(),
    (_request, response) => response.end('<html>'),
    (_request, response) => response.end('{"features":[{"properties":{"city":{}}}]}'),
    // Wherever it is sent on to, nothing of that counts.
    (request, response) =>
      request.url?.includes('elsewhere')
        ? response.end(JSON.stringify({ features: [feature({ street: 'Rue d’ailleurs' })] }))
        : response.writeHead(302, { location: '/elsewhere' }).end(),
  ]
  for (const [index, fault] of faults.entries()) {
    answering = fault
    assert.deepEqual((await at('FR', `Marseille`)).body, [{ line1: null, postcode: '', city: 'Marseille' }], String(index))
  }
})

test('R-699 when switched off it is 404', async () => {
  const set = async (value: boolean) => {
    await database.command({}, (scope) => setFlag(scope, { market: 'gb', mode: '*' }, 'pepeAutocompleteAddress', value))
    forgetSwitches()
  }
  await set(false)
  assert.equal((await at('FR', 'Paris')).status, 404)
  await set(true)
  assert.equal((await at('FR', 'Paris')).status, 200)
})

test('R-638 requests faster than anybody types are throttled', async () => {
  useSettings({})
  const statuses: number[] = []
  const from = (remoteAddress: string) =>
    gateway.app.inject({ url: '/api/v1/address-suggestions?country=FR&text=Paris', remoteAddress, headers: { host: 'localhost' } })
  while (statuses.at(-1) !== 429 && statuses.length < 100) statuses.push((await from('203.0.113.5')).statusCode)
  assert.equal(statuses.at(-1), 429)
  assert.ok(statuses.length > 40, `${statuses.length}`)
  assert.equal((await from('203.0.113.5')).headers['retry-after'], '60')
  assert.equal((await from('203.0.113.6')).statusCode, 200)
})

test('A44 a flood of invalid overrides writes at most 120 short lines a minute, whoever sends them', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 120_000 })
  const warnings = t.mock.method(log, 'warn', () => undefined)
  const cookie = `mm_flag_overrides=${JSON.stringify({ pepeAutocompleteAddress: 'x'.repeat(1900) })}`
  for (let n = 0; n < 140; n++) {
    const remoteAddress = `198.51.100.${n}`
    await gateway.app.inject({ url: '/api/v1/address-suggestions', remoteAddress, headers: { host: 'localhost', cookie } })
  }
  const lines = warnings.mock.calls.map(({ arguments: given }) => JSON.stringify(given))
  assert.equal(lines.length, 120)
  assert.deepEqual(
    lines.filter((line) => line.length > 300),
    [],
  )
})
