import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vatRules } from './vat-rules.ts'

const today = '2026-01-01'

/** A country's statutory rates in basis points, the standard one first. */
const legal: Record<string, number[]> = {
  gb: [2000, 500, 0],
  fr: [2000, 1000, 550, 210],
  de: [1900, 700, 0],
  es: [2100, 1000, 400],
  it: [2200, 1000, 500, 400],
}

for (const [market, rates] of Object.entries(legal)) {
  test(`${market} has one standard rate, and only statutory rates`, () => {
    const own = vatRules.filter((rule) => rule.market === market && rule.validFrom <= today)
    assert.deepEqual(
      own.filter(({ categoryId }) => categoryId === null).map(({ rateBp }) => rateBp),
      rates.slice(0, 1),
    )
    for (const { rateBp, categoryId } of own) assert.ok(rates.includes(rateBp), `${categoryId}: ${rateBp}`)
  })
}

test('no category has two rates in a market from the same day on, and ids are unique', () => {
  const places = vatRules.map(({ market, categoryId, validFrom }) => `${market} ${categoryId} ${validFrom}`)
  assert.equal(new Set(places).size, vatRules.length)
  assert.equal(new Set(vatRules.map(({ id }) => id)).size, vatRules.length)
})
