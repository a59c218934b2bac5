import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Mode } from '@purlin/contract/markets.ts'
import { normalizeListing } from './listing-input.ts'
import { placeSponsored, placesPerSponsored } from './sponsored-places.ts'

const deals = normalizeListing({ kind: 'deals' })
const cardsOf = (sponsored: readonly boolean[]) => sponsored.map((is, at) => ({ at, sponsoredOn: is ? (['b2c'] as Mode[]) : [] }))

test('V-33 of any four cards in a row one at most is in a paid place, and no card is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 48 }), (sponsored) => {
      const given = cardsOf(sponsored)
      const { cards, paid } = placeSponsored(given, deals, 'b2c')
      assert.deepEqual(new Set(cards), new Set(given))
      for (const at of cards.keys())
        assert.ok(cards.slice(at, at + placesPerSponsored).filter((card) => paid.has(card)).length <= 1, String(at))
    }),
  )
})

test('V-33 ten sponsored deals at the top are spread among the others, each in a place of its own', () => {
  const { cards, paid } = placeSponsored(cardsOf(Array.from({ length: 48 }, (_, at) => at < 10)), deals, 'b2c')
  const places = cards.flatMap(({ sponsoredOn }, at) => (sponsoredOn.length > 0 ? [at] : []))
  assert.deepEqual(places, [0, 4, 8, 12, 16, 20, 24, 28, 32, 36])
  assert.equal(paid.size, 10)
})

test('places are sold under relevance sorting only, and per storefront', () => {
  const given = cardsOf([true, true, false])
  assert.equal(placeSponsored(given, normalizeListing({ kind: 'deals', sort: 'price_asc' }), 'b2c').paid.size, 0)
  assert.equal(placeSponsored(given, deals, 'b2b').paid.size, 0)
})
