import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '@purlin/contract/markets.ts'
import { addressOfPriced, readPriceWords } from './price-words.ts'

const prices: [language: Language, query: string, rest: string, min: number | null, max: number | null][] = [
  ['en', 'ladder under 150', 'ladder', null, 150],
  ['en', 'ladder under £150', 'ladder', null, 150],
  ['en', 'cordless drill less than 99.50 pounds', 'cordless drill', null, 99.5],
  ['en', 'drill up to £80', 'drill', null, 80],
  ['en', 'under 20 quid hammer', 'hammer', null, 20],
  ['en', 'sofa over 500', 'sofa', 500, null],
  ['fr', 'nettoyeur haute pression moins de 200 euros', 'nettoyeur haute pression', null, 200],
  ['fr', 'perceuse jusqu’à 80 €', 'perceuse', null, 80],
  ['de', 'hochdruckreiniger unter 200 euro', 'hochdruckreiniger', null, 200],
  ['de', 'leiter bis 99,99 €', 'leiter', null, 99.99],
  ['es', 'hidrolimpiadora menos de 200 euros', 'hidrolimpiadora', null, 200],
  ['it', 'idropulitrice meno di 200 euro', 'idropulitrice', null, 200],
  ['it', 'trapano fino a 80 euro', 'trapano', null, 80],
]
for (const [language, query, rest, min, max] of prices) {
  test(`V-84 the price of a query is read: "${query}"`, () => {
    assert.deepEqual(readPriceWords(query, language), { query: rest, min, max })
  })
}

test('V-84 lengths, weights and part numbers are not prices', () => {
  for (const [language, query] of [
    ['en', 'hose under 20 m'],
    ['en', 'hose up to 20'],
    ['en', 'undercoat 150'],
    ['en', 'under 150'],
    ['en', 'ladder under 0'],
    ['en', 'under sink 80x50'],
    ['de', 'bohrer bis 13 mm'],
    ['de', 'leiter bis 3'],
    ['fr', 'tuyau moins de 20 m'],
    ['es', 'broca hasta 13'],
    ['it', 'scala fino a 3 metri'],
  ] as const)
    assert.equal(readPriceWords(query, language), null, query)
})

test('V-84 the address of a priced query carries the price as a filter', () => {
  assert.equal(addressOfPriced({ query: 'step ladder', min: null, max: 150 }), '/search/step%20ladder?max%5Bprice%5D=150')
  assert.equal(addressOfPriced({ query: 'a/b?c', min: 5, max: null }), '/search/a%2Fb%3Fc?min%5Bprice%5D=5')
})

test('hostile queries are read in time that does not grow faster than they do', () => {
  for (const query of ['under '.repeat(40), `${'1'.repeat(190)} €`, 'less than '.repeat(20), `under ${'9'.repeat(150)}`]) {
    const from = performance.now()
    for (const language of ['en', 'fr', 'de', 'es', 'it'] as const) readPriceWords(query, language)
    assert.ok(performance.now() - from < 1_000, query)
  }
})
