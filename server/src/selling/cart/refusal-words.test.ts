import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes } from '@purlin/contract/markets.ts'
import { refusalReasons } from '@purlin/contract/refusals.ts'
import { tellRefusal } from './refusal-words.ts'

for (const reason of refusalReasons) {
  test(`the refusal ${reason} is a sentence in each of the five languages, with the same figures in all`, () => {
    const told = marketCodes.map((market) => {
      const figures = new Set<string>()
      // Whatever figure the words ask for is there, and noted.
      const details = new Proxy({}, { get: (_, name) => (figures.add(String(name)), 7) })
      return { market, message: tellRefusal(market, { ok: false, reason, details }).message, asked: figures }
    })
    for (const { market, message, asked } of told) {
      assert.match(message, /^\p{Lu}.*[.!?]$/u, market)
      assert.deepEqual([...asked].sort(), [...(told[0]?.asked ?? [])].sort(), market)
    }
    assert.equal(new Set(told.map(({ message }) => message)).size, marketCodes.length)
  })
}

test('the figure of a refusal stands in its sentence', () => {
  const { message } = tellRefusal('gb', { ok: false, reason: 'out-of-stock', details: { available: 3 } })
  assert.equal(message, 'There are not that many in stock: 3 left.')
})
