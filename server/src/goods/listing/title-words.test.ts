import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rootsOf, wordsIn } from './title-words.ts'

const sample = (categoryId: number, en: string, de: string) => ({ categoryId, titles: { en, de } })
const words = wordsIn(
  [
    sample(1, 'Tarvok 18 V Cordless combi drill', 'Tarvok 18 V Akku-Bohrer'),
    sample(1, 'Brexiro 40 V Cordless combi drill, red', 'Brexiro 40 V Akku-Bohrer, rot'),
    sample(2, 'Tarvok Rotary hammer', 'Tarvok Bohrhammer'),
    sample(2, 'Kastor Rotary hammer', 'Kastor Bohrhammer'),
    sample(3, 'Tarvok Claw hammer', 'Tarvok Latthammer'),
  ],
  [{ id: 3, names: { en: 'Hammers', de: 'Hämmer' } }],
)

test('V-91 goods have the words that most of their titles share, and those of the name of their category', () => {
  const named = (text: string, language: 'en' | 'de') => words.categoriesWith(rootsOf(text, language), language)
  assert.deepEqual(named('cordless drills', 'en'), [1])
  assert.deepEqual(named('hammer', 'en'), [2, 3])
  assert.deepEqual(named('akku', 'de'), [1])
  assert.deepEqual(named('tarvok', 'en'), [], 'brands are no words for goods')
  assert.deepEqual(named('red', 'en'), [])
  assert.deepEqual(named('claw', 'en'), [], 'one title alone says nothing')
  assert.deepEqual(named('cordless hammer', 'en'), [])
  assert.deepEqual(named('18', 'en'), [], 'numbers are no words')
})
