import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes } from '@purlin/contract/markets.ts'
import { refusalReasons } from '@purlin/contract/refusals.ts'
import { describeRefusal } from './refusal-words.ts'

for (const reason of refusalReasons) {
  test(`the refusal ${reason} is a sentence in each of the five languages`, () => {
    const details = { available: 7, step: 7, max: 7, title: 'Drill 7' }
    const told = marketCodes.map((market) => describeRefusal(market, { ok: false, reason, details }).message)
    for (const message of told) assert.match(message, /^\p{Lu}[^{}]*[.!?]$/u)
    assert.equal(new Set(told).size, marketCodes.length)
    assert.equal(new Set(told.map((message) => message.includes('7'))).size, 1, 'the same figures in all')
  })
}

test('V-55 a refusal’s message contains its figure in the correct plural form', () => {
  const left = (market: 'gb' | 'de' | 'fr', available: number) =>
    describeRefusal(market, { ok: false, reason: 'out-of-stock', details: { available } }).message
  assert.equal(left('gb', 3), 'There are only 3 left in stock.')
  assert.equal(left('gb', 1), 'There is only 1 left in stock.')
  assert.equal(left('de', 1), 'Es ist nur noch 1 Stück auf Lager.')
  assert.equal(left('fr', 0), 'Cet article est épuisé.')
})

test('a field without a message of its own says that something is missing', () => {
  const { fields } = describeRefusal('de', {
    ok: false,
    reason: 'address-invalid',
    fields: { city: 'too-long', line1: 'nothing-like-this' },
  })
  assert.deepEqual(fields, [
    { field: 'city', message: 'Das ist zu lang.' },
    { field: 'line1', message: 'Bitte ausfüllen.' },
  ])
})
