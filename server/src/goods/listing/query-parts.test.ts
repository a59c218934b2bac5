import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '@purlin/contract/markets.ts'
import fc from 'fast-check'
import type { Attribute, Brand, Reference } from '#catalogue'
import { lexiconOf } from './query-lexicon.ts'
import { readParts, withoutParts, type QueryPart } from './query-parts.ts'

const word = (value: string, hex: string | null, [en, fr, de, es, it]: string[]) =>
  [value, { value, hex, names: { en, fr, de, es, it } as Record<Language, string> }] as const
const attribute = (key: string, en: string, de: string, unit: Record<string, string> | null): [string, Attribute] => [
  key,
  { key, kind: unit ? 'number' : 'text', names: { en, fr: en, de, es: en, it: en }, units: unit, decimals: 0, facet: true },
]
const names = { en: 'Electric cables', fr: 'Câbles électriques', de: 'Kabel', es: 'Cables', it: 'Cavi' }

const catalogue = {
  attributes: new Map([
    attribute('voltage', 'Voltage', 'Spannung', { en: 'V' }),
    attribute('shoe_size', 'Shoe size', 'Schuhgröße', null),
    attribute('steps', 'Steps', 'Stufen', { en: 'steps', de: 'Stufen' }),
  ]),
  brands: new Map([[1, { id: 1, name: 'Tarvok' } as Brand]]),
  categories: { all: [{ names }] } as unknown as Reference['categories'],
  words: new Map([
    word('battery', null, ['cordless', 'sans fil', 'Akku', 'a batería', 'a batteria']),
    word('mains', null, ['corded', 'filaire', 'mit Netzkabel', 'con cable', 'con cavo']),
    word('bare', null, ['bare unit, no battery', 'sans batterie ni chargeur', 'ohne Akku und Ladegerät', 'sin batería', 'senza batteria']),
    word('black', '#000', ['black', 'noir', 'schwarz', 'negro', 'nero']),
    word('matt_black', '#111', ['matt black', 'noir mat', 'schwarz matt', 'negro mate', 'nero opaco']),
    word('white', '#fff', ['white', 'blanc', 'weiß', 'blanco', 'bianco']),
    word('torx', null, ['TX', 'TX', 'TX', 'TX', 'TX']),
  ]),
}

const meant = (language: Language, query: string, literal?: string[]): unknown[] =>
  readParts(query, lexiconOf(catalogue, language), literal).map(
    ({ start, end, ...part }) => (assert.equal(query.slice(start, end), part.text), told(part)),
  )

function told(part: Omit<QueryPart, 'start' | 'end'> & Partial<Record<string, unknown>>): unknown[] {
  const { kind, text, values, amounts, unit, keys, named, group, name, code } = part
  return [kind, text, ...[values, amounts, unit, keys, named, group, name, code].filter((one) => one !== undefined && one !== null)]
}

const readings: [language: Language, query: string, parts: unknown[][]][] = [
  ['en', 'drill 18v', [['measure', '18v', [18], 'v']]],
  ['en', 'chainsaw 16 inch', [['measure', '16 inch', [16], 'in']]],
  [
    'en',
    'shelf 24" white',
    [
      ['measure', '24"', [24], 'in'],
      ['value', 'white', ['white']],
    ],
  ],
  ['en', 'pipe 1.5m', [['measure', '1.5m', [1.5], 'm']]],
  ['fr', 'tuyau 1,5 m', [['measure', '1,5 m', [1.5], 'm']]],
  ['en', 'screws 4x40 mm', [['measure', '4x40 mm', [4, 40], 'mm']]],
  ['en', 'board 10 x 20 x 30', [['measure', '10 x 20 x 30', [10, 20, 30], '']]],
  ['en', 'grinder 125', [['measure', '125', [125], '']]],
  ['en', 'boots size 43', [['measure', 'size 43', [43], '', ['shoe_size']]]],
  ['de', 'Leiter 5 Stufen', [['measure', '5 Stufen', [5], 'steps']]],
  ['en', 'bulb e27', [['code', 'e27', 'e27']]],
  ['en', 'tarvok drill', [['brand', 'tarvok', 'Tarvok']]],
  ['en', 'refurbished drill', [['condition', 'refurbished', 'refurbished']]],
  ['de', 'gebrauchte Säge', [['condition', 'gebrauchte', 'used']]],
  ['es', 'taladro de segunda mano', [['condition', 'de segunda mano', 'used']]],
  ['fr', 'peinture blanche', [['value', 'blanche', ['white']]]],
  ['de', 'weiße Farbe', [['value', 'weiße', ['white']]]],
  ['en', 'black tap', [['value', 'black', ['black', 'matt_black']]]],
  ['en', 'matt black tap', [['value', 'matt black', ['matt_black']]]],
  ['en', 'torx screws', [['value', 'torx', ['torx']]]],
  ['fr', 'perceuse cordless', [['value', 'cordless', ['battery']]]],
  ['fr', 'perceuse sans fil', [['value', 'sans fil', ['battery']]]],
  ['en', 'drill not cordless', [['without', 'not cordless', ['battery']]]],
  ['en', 'drill without a cordless', [['without', 'without a cordless', ['battery']]]],
  ['de', 'Bohrmaschine ohne Kabel', [['without', 'ohne Kabel', ['mains']]]],
  ['es', 'taladro sin cable', [['without', 'sin cable', ['mains']]]],
  ['de', 'Schrauber ohne Akku', [['without', 'ohne Akku', ['battery'], ['bare']]]],
  ['de', 'Schrauber nicht Akku', [['without', 'nicht Akku', ['battery']]]],
  ['en', 'drill no battery', [['without', 'no battery', ['battery'], ['bare']]]],
  ['fr', 'perceuse sans batterie ni chargeur', [['value', 'sans batterie ni chargeur', ['bare']]]],
  ['fr', 'câble souple', []],
  ['en', 'no more nails', []],
  ['en', 'not', []],
]
for (const [language, query, parts] of readings) {
  test(`V-84 the parts of "${query}" are read in ${language}`, () => {
    assert.deepEqual(meant(language, query), parts)
  })
}

test('V-84 a part that is to be taken literally means nothing besides its words', () => {
  assert.deepEqual(meant('en', 'black drill 18V', ['18v']), [['value', 'black', ['black', 'matt_black']]])
  assert.deepEqual(meant('en', 'drill not cordless', ['not cordless']), [])
})

test('the rest of a query keeps its order, without gaps', () => {
  const query = 'refurbished  drill not cordless 18v'
  assert.equal(withoutParts(query, readParts(query, lexiconOf(catalogue, 'en'))), 'drill')
})

test('any query is read in time that does not grow faster than it does, in parts that are its own', () => {
  for (const query of ['not '.repeat(50), '1'.repeat(200), '4x'.repeat(100), 'matt black '.repeat(18), '"'.repeat(200)]) {
    const from = performance.now()
    for (const language of ['en', 'fr', 'de', 'es', 'it'] as const) readParts(query, lexiconOf(catalogue, language))
    assert.ok(performance.now() - from < 500, query)
  }
  const words = fc.array(fc.constantFrom('not', 'sans', 'drill', '18v', '4x40', 'black', 'size', '43', 'é', '"', 'tarvok', 'e27', ' '), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(words, fc.constantFrom<Language>('en', 'fr', 'de'), (list, language) => {
      const query = list.join(' ')
      let last = 0
      for (const { start, end, text } of readParts(query, lexiconOf(catalogue, language))) {
        assert.ok(start >= last && end > start && query.slice(start, end) === text)
        last = end
      }
    }),
  )
})
