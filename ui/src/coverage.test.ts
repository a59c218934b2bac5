import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { articlesFor, typedNumber } from './coverage.ts'

test('the number of packs for an area in square metres', () => {
  const cases: [Parameters<typeof articlesFor>[0], number | null][] = [
    [{ wanted: 10, perArticle: 2 }, 5],
    [{ wanted: 10.1, perArticle: 2 }, 6],
    [{ wanted: 0.3, perArticle: 0.1 }, 3],
    [{ wanted: 10, perArticle: 2, sparePercent: 10 }, 6],
    [{ wanted: 10, perArticle: 2, step: 4 }, 8],
    [{ wanted: 1, perArticle: 2, step: 4 }, 4],
    [{ wanted: 100, perArticle: 2, max: 20 }, null],
    [{ wanted: 0, perArticle: 2 }, null],
    [{ wanted: 5, perArticle: 0 }, null],
    [{ wanted: Number.NaN, perArticle: 1 }, null],
    [{ wanted: Number.POSITIVE_INFINITY, perArticle: 1 }, null],
  ]
  for (const [need, expected] of cases) assert.equal(articlesFor(need), expected, JSON.stringify(need))
})

test('the ordered quantity always covers the need, in whole steps, without a superfluous step', () => {
  const hundredth = fc.integer({ min: 1, max: 100_000 }).map((n) => n / 100)
  fc.assert(
    fc.property(hundredth, hundredth, fc.integer({ min: 1, max: 12 }), (wanted, perArticle, step) => {
      const articles = articlesFor({ wanted, perArticle, step })!
      assert.equal(articles % step, 0)
      assert.ok(articles * perArticle >= wanted - 1e-6)
      assert.ok(articles === step || (articles - step) * perArticle < wanted + 1e-6)
    }),
  )
})

test('numbers are parsed in any market’s notation', () => {
  const cases: [string, number | null][] = [
    ['12,5', 12.5],
    ['12.5', 12.5],
    [' 1 200 ', 1200],
    ['', null],
    ['-3', null],
    ['1e9', null],
    ['1,2,3', null],
  ]
  for (const [text, expected] of cases) assert.equal(typedNumber(text), expected, text)
})
