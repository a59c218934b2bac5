import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '../types.ts'
import { analyzerFor } from './analyzer.ts'
import { bare, fold } from './fold.ts'
import { canonicalNumber } from './numbers.ts'

const surfaces = (language: Language, text: string) =>
  analyzerFor(language)
    .analyze(text)
    .filter((token) => !token.isStopWord)
    .map((token) => token.surface)

const terms = (language: Language, text: string) =>
  analyzerFor(language)
    .analyze(text)
    .flatMap((token) => [token.surface, ...(token.also ?? [])])

test('case and accents are folded', () => {
  const cases: [string, string][] = [
    ['Échelle', 'echelle'],
    ['Weißgerät', 'weissgerat'],
    ['cœur', 'coeur'],
    ['Ø', 'o'],
    ['m²', 'm2'],
    ['ÑANDÚ', 'nandu'],
  ]
  for (const [from, to] of cases) assert.equal(fold(from), to)
})

test('words, stop words and elisions, per language', () => {
  const cases: [Language, string, string[]][] = [
    ['en', "The carpenter's drill bits", ['carpenter', 'drill', 'bits']],
    ['fr', "L'échelle de l’électricien, sans fil", ['echelle', 'electricien', 'sans', 'fil']],
    ['fr', "Compresseur d'air jusqu'à 8 bars", ['compresseur', 'air', '8bar']],
    ['de', 'Die Säge für das Holz', ['sage', 'holz']],
    ['es', 'Tornillos para la madera', ['tornillos', 'madera']],
    ['it', "Pompa dell'acqua per il giardino", ['pompa', 'acqua', 'giardino']],
    ['en', 'SDS-plus rotary hammer', ['sds', 'plus', 'rotary', 'hammer']],
  ]
  for (const [language, text, expected] of cases) assert.deepEqual(surfaces(language, text), expected, text)
})

test('plural and singular share a stem', () => {
  const cases: [Language, string, string][] = [
    ['en', 'drills', 'drill'],
    ['fr', 'perceuses', 'perceuse'],
    ['fr', 'échelles', 'echelle'],
    ['de', 'Schrauben', 'Schraube'],
    ['es', 'taladros', 'taladro'],
    ['it', 'trapani', 'trapano'],
  ]
  for (const [language, one, other] of cases) {
    const analyzer = analyzerFor(language)
    assert.equal(analyzer.word(one).stem, analyzer.word(other).stem, `${one} and ${other}`)
  }
})

test('V-83 a German tool is not what it works on: Schrauber and Schraube, Leiter and Leitung', () => {
  const stem = (word: string) => analyzerFor('de').word(word).stem
  for (const [tool, other] of [
    ['Schrauber', 'Schrauben'],
    ['Leiter', 'Leitungen'],
    ['Bohrer', 'bohren'],
  ] as const)
    assert.notEqual(stem(tool), stem(other), `${tool} and ${other}`)
  assert.equal(stem('Leitern'), stem('Leiter'))
  assert.equal(stem('Akkuschraubern'), stem('Akkuschrauber'))
})

test('an umlaut matches its spelling with an e', () => {
  const analyzer = analyzerFor('de')
  for (const [one, other] of [
    ['Säge', 'Saege'],
    ['Schlüssel', 'Schluessel'],
    ['Bohrhülse', 'bohrhuelse'],
    ['Türöffner', 'tueroeffner'],
  ] as const) {
    assert.equal(analyzer.word(one).surface, analyzer.word(other).surface)
  }
  assert.equal(analyzer.word('Mauer').surface, 'mauer', 'ue after a vowel is no umlaut')
})

test('numbers with units are one term in any spelling', () => {
  const same: [Language, ...string[]][] = [
    ['fr', '18v', '18 V', '18V', '18 volts', '18,0 V'],
    ['fr', '10l', '10 L', '10 litres', '10,0 l'],
    ['fr', '4x40', '4 x 40 mm', '4,0x40', '4×40', '4 mm x 40 mm'],
    ['de', '2,5 mm²', '2.5mm2', '2,50 mm²'],
    ['de', '1.500 W', '1500w', '1500 Watt'],
    ['en', '1,500 W', '1500W', '1500 watts'],
    ['es', '3,2 J', '3.2J'],
    ['it', '12 pezzi', '12pz', '12 pz'],
  ]
  for (const [language, ...texts] of same) {
    const [first] = terms(language, texts[0]!)
    for (const text of texts) assert.equal(terms(language, text)[0], first, `${text} as ${texts[0]}`)
  }
  assert.notEqual(terms('fr', '18 V')[0], terms('fr', '18 W')[0])
})

test('a number is also found without its unit, and joined with the following word', () => {
  assert.ok(terms('fr', 'perceuse 18 V').includes('18'))
  assert.deepEqual(terms('fr', '12 lignes').slice(0, 2), ['12', '12lign'])
  assert.equal(terms('fr', '12lignes')[0], '12lign')
  assert.ok(terms('fr', 'vis 4 x 40 mm').includes('40mm'))
})

test('codes are not split', () => {
  for (const code of ['e27', 'm8', 'pz2', '10w40']) assert.deepEqual(surfaces('en', code.toUpperCase()), [code])
})

test('decimal and thousands separators follow the language', () => {
  const cases: [string, ',' | '.', string][] = [
    ['1.500', ',', '1500'],
    ['1,500', '.', '1500'],
    ['1.500', '.', '1.5'],
    ['0.035', ',', '0.035'],
    ['0,035', ',', '0.035'],
    ['4,0', ',', '4'],
    ['3.2', ',', '3.2'],
    ['1.234,5', ',', '1234.5'],
    ['15\u202f000', ',', '15000'],
  ]
  for (const [text, mark, expected] of cases) assert.equal(canonicalNumber(text, mark), expected, text)
})

test('an exact value is reduced to letters and digits', () => {
  assert.equal(bare('AB-123.45 / x'), 'ab12345x')
  assert.equal(bare('20 0000 000 0022'), '2000000000022')
})
