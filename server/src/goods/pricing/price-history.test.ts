import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Market } from '@purlin/contract/markets.ts'
import { testDatabase } from '#platform/testing'
import { readPriceHistory, type PricePoint } from '#catalogue'
import { retailPrice } from './retail-price.ts'

const { db } = await testDatabase({ upTo: 'pricing' })
const now = new Date('2026-11-21T10:00:00Z')
const ago = (days: number, price: number): PricePoint => ({ price, validFrom: new Date(now.getTime() - days * 86_400_000) })
const insert = {
  name: 'test.price-history',
  text: `insert into catalogue.price_history (offer_id, price, valid_from)
    select offer_id, price, valid_from from unnest($1::bigint[], $2::integer[], $3::timestamptz[]) as h (offer_id, price, valid_from)`,
}
let offers = 0

/** The offer's history as the shop reads it. */
async function stored(history: readonly PricePoint[]): Promise<PricePoint[]> {
  offers += 1
  const id = String(offers)
  await db.run(insert, [history.map(() => id), history.map(({ price }) => price), history.map(({ validFrom }) => validFrom)])
  return (await readPriceHistory(db, [id], now)).get(id) ?? []
}

const long: [string, Market, PricePoint[], number | null][] = [
  ['a reduction that has run for months still knows the 30 days before it', 'fr', [ago(300, 800), ago(110, 1_200), ago(100, 900)], null],
  ['and the lower one of several prices in them', 'de', [ago(300, 1_300), ago(140, 1_000), ago(110, 1_200), ago(100, 900)], 1_000],
  ['the same price written again and again is one price', 'it', [ago(300, 1_000), ago(200, 900), ago(150, 900), ago(120, 900)], 1_000],
  ['gb: a reference asked for long counts in full, however often it was written', 'gb', weekly(400, 60, 1_000, 900), 1_000],
]

/** One price written every week, then a lower one. */
function weekly(from: number, until: number, price: number, reduced: number): PricePoint[] {
  const weeks = Array.from({ length: Math.ceil((from - until) / 7) }, (_, week) => ago(from - week * 7, price))
  return [...weeks, ago(until, reduced)]
}

for (const [title, market, history, expected] of long) {
  test(`R-385 price history, in a promotion: ${title}`, async () =>
    assert.equal(retailPrice(market, await stored(history), now, true), expected))
}

test('R-385 the part of a history that is read gives the same retail price as the whole', async () => {
  const anyHistory = fc.uniqueArray(fc.record({ days: fc.integer({ min: -5, max: 250 }), price: fc.constantFrom(700, 800, 900, 1_000) }), {
    selector: ({ days }) => days,
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(anyHistory, async (points) => {
      const history = points.map(({ days, price }) => ago(days, price))
      const read = await stored(history)
      for (const market of ['de', 'gb'] as const)
        assert.equal(retailPrice(market, read, now, true), retailPrice(market, history, now, true))
    }),
    { numRuns: 300 },
  )
})

test('of a long history only the part relevant to the current price is read', async () => {
  const daily = Array.from({ length: 500 }, (_, day) => ago(day, 1_000 + (day % 7)))
  assert.ok((await stored(daily)).length <= 34)
})

test('offers are kept apart, one without a history is absent, and without offers there is no query', async () => {
  const [first, second] = [await stored([ago(5, 100)]), await stored([ago(5, 200), ago(2, 300)])]
  assert.deepEqual([first.length, second.length], [1, 2])
  const both = await readPriceHistory(db, [String(offers - 1), String(offers), '999999'], now)
  assert.deepEqual([...both.keys()].toSorted(), [String(offers - 1), String(offers)].toSorted())
  assert.equal((await readPriceHistory({ rows: () => assert.fail('asked') } as never, [], now)).size, 0)
})
