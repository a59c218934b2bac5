import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Synonym } from '../types.ts'
import { configOf } from './snapshot.ts'

const synonyms = (...words: string[]): Synonym[] => [{ objectID: '1', type: 'synonym', synonyms: words }]

test('indexes of one language with equal synonyms share one compiled copy, and no others do', () => {
  const products = configOf({ language: 'en' }, synonyms('drill', 'driver'), [])
  const offers = configOf({ language: 'en' }, synonyms('drill', 'driver'), [])
  const german = configOf({ language: 'de' }, synonyms('drill', 'driver'), [])
  const edited = configOf({ language: 'en' }, synonyms('drill', 'borer'), [])

  assert.equal(offers.synonymTable, products.synonymTable)
  assert.equal(offers.synonyms, products.synonyms)
  assert.notEqual(german.synonymTable, products.synonymTable)
  assert.deepEqual([...edited.synonymTable.phrases.keys()].toSorted(), ['borer', 'drill'])
  assert.deepEqual([...products.synonymTable.phrases.keys()].toSorted(), ['drill', 'driver'])
})
