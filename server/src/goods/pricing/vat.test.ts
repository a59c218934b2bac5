import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addVat, divideHalfUp, ratesChangeToday, splitGross, vatOf, type VatRule } from './vat.ts'

const rules: VatRule[] = [
  { market: 'de', categoryId: null, rateBp: 1900, flag: null, validFrom: '2021-01-01', validTo: null },
  { market: 'de', categoryId: null, rateBp: 1600, flag: null, validFrom: '2020-07-01', validTo: '2020-12-31' },
  { market: 'de', categoryId: 2257, rateBp: 0, flag: 'hasNoVATForDE', validFrom: '2023-01-01', validTo: null },
  { market: 'de', categoryId: 7, rateBp: 700, flag: null, validFrom: '2021-01-01', validTo: null },
  { market: 'fr', categoryId: null, rateBp: 2000, flag: null, validFrom: '2014-01-01', validTo: null },
  { market: 'fr', categoryId: null, rateBp: 2100, flag: null, validFrom: '2030-01-01', validTo: null },
]
const at = (day: string): Date => new Date(`${day}T12:00:00Z`)

test('R-685 R-712 R-378 category 2257 in de, with its descendants, has no VAT from 2023 on and says so', () => {
  assert.deepEqual(vatOf(rules, 'de', [1, 2257], at('2026-11-21')), { rateBp: 0, hasNoVATForDE: true })
  assert.deepEqual(vatOf(rules, 'de', [1, 2257, 9], at('2026-11-21')), { rateBp: 0, hasNoVATForDE: true })
  assert.deepEqual(vatOf(rules, 'de', [1, 2257], at('2022-12-31')), { rateBp: 1900, hasNoVATForDE: false })
})

test('R-685 category 2257 is an ordinary one outside de', () => {
  assert.deepEqual(vatOf(rules, 'fr', [1, 2257], at('2026-11-21')), { rateBp: 2000, hasNoVATForDE: false })
})

test('the rule nearest to the leaf wins, and of two for the same category the later one', () => {
  assert.equal(vatOf(rules, 'de', [7, 2257], at('2026-01-01')).rateBp, 0)
  assert.equal(vatOf(rules, 'de', [2257, 7], at('2026-01-01')).rateBp, 700)
  assert.equal(vatOf(rules, 'fr', [1], at('2030-06-01')).rateBp, 2100)
})

test('a rule ends with its last day in the market’s own calendar', () => {
  assert.equal(vatOf(rules, 'de', [1], new Date('2020-12-31T22:59:59Z')).rateBp, 1600)
  assert.equal(vatOf(rules, 'de', [1], new Date('2020-12-31T23:00:00Z')).rateBp, 1900)
})

test('a rule that has ended leaves the category to the standard rate; of two that began on one day the first counts', () => {
  const ended: VatRule = { market: 'de', categoryId: 7, rateBp: 500, flag: null, validFrom: '2020-07-01', validTo: '2020-12-31' }
  const standard = rules.filter(({ categoryId }) => categoryId === null)
  assert.equal(vatOf([...standard, ended], 'de', [7], at('2020-12-31')).rateBp, 500)
  assert.equal(vatOf([...standard, ended], 'de', [7], at('2026-01-01')).rateBp, 1900)
  const twice = [ended, { ...ended, rateBp: 700 }]
  assert.equal(vatOf(twice, 'de', [7], at('2020-12-31')).rateBp, 500)
})

test('rates change on the first day of a rule and on the day after its last, in the market’s calendar', () => {
  const begins = (market: 'de' | 'fr', at: string) => ratesChangeToday(rules, market, new Date(at))
  assert.equal(begins('de', '2023-01-01T12:00:00Z'), true)
  assert.equal(begins('de', '2022-12-31T22:59:00Z'), false)
  assert.equal(begins('de', '2022-12-31T23:00:00Z'), true, 'midnight in Berlin')
  assert.equal(begins('de', '2023-01-02T12:00:00Z'), false)
  assert.equal(begins('fr', '2023-01-01T12:00:00Z'), false)
  const ending = [{ ...rules[0]!, validFrom: '2020-01-01', validTo: '2020-12-31' }]
  assert.equal(ratesChangeToday(ending, 'de', new Date('2021-01-01T12:00:00Z')), true)
  assert.equal(ratesChangeToday(ending, 'de', new Date('2020-12-31T12:00:00Z')), false)
})

test('a market without a standard rate is an error, never a price without VAT', () => {
  assert.throws(() => vatOf(rules, 'es', [1], at('2026-01-01')), /No VAT rule for es/)
})

const rate = fc.constantFrom(0, 400, 500, 550, 700, 1000, 1900, 2000, 2100, 2200)
const amount = fc.integer({ min: 0, max: 2_000_000_000 })

test('net and VAT always sum to the gross price, and the net is rounded to the nearest cent', () => {
  fc.assert(
    fc.property(amount, rate, (gross, rateBp) => {
      const split = splitGross(gross, rateBp)
      assert.equal(split.net + split.vat, gross)
      const exact = BigInt(gross) * 10_000n
      const error = exact - BigInt(split.net) * BigInt(10_000 + rateBp)
      assert.ok(error * 2n < BigInt(10_000 + rateBp) && error * 2n >= -BigInt(10_000 + rateBp))
    }),
  )
})

test('adding VAT to a net price and removing it again gives the same net price, and net and VAT are the price', () => {
  fc.assert(
    fc.property(amount, rate, (net, rateBp) => {
      const { gross, vat } = addVat(net, rateBp)
      assert.deepEqual([splitGross(gross, rateBp).net, net + vat], [net, gross])
    }),
  )
})

test('halves are rounded up, for refunds away from zero', () => {
  assert.deepEqual(
    [5, 15, 14, -5, -14, 0].map((value) => divideHalfUp(value, 10)),
    [1, 2, 1, -1, -1, 0],
  )
})
