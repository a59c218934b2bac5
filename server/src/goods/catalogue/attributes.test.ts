import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { marketCodes, markets } from '@purlin/contract/markets.ts'
import { brandUrl, categoryUrl, pictureUrl, productUrl } from './addresses.ts'
import { attributeText, showAttribute, showAttributes } from './attributes.ts'
import { categoryTree, inLanguage, type CategoryRow } from './category-tree.ts'
import type { Attribute, AttributeWord } from './reference-rows.ts'

const attribute = (key: string, more: Partial<Attribute>): [string, Attribute] => [
  key,
  { key, kind: 'number', names: { en: key, de: `${key} (de)` }, units: null, decimals: 0, facet: true, ...more },
]
const word = (value: string, en: string, de: string): [string, AttributeWord] => [value, { value, names: { en, de }, hex: null }]
const vocabulary = {
  attributes: new Map([
    attribute('power', { units: { en: 'W', de: 'W' } }),
    attribute('volume', { units: { en: 'L', fr: 'L', de: 'l' }, decimals: 1 }),
    attribute('pieces', { units: { en: 'pcs', de: 'Stück' } }),
    attribute('size', { kind: 'text' }),
    attribute('color', { kind: 'text' }),
  ]),
  words: new Map([word('blue', 'blue', 'blau')]),
}
const text = (market: keyof typeof markets, key: string, value: string | number): string | null => {
  const shown = showAttribute(vocabulary, market, key, value)
  return shown && attributeText(shown)
}

const cases: [market: keyof typeof markets, key: string, value: string | number, expected: string | null][] = [
  ['gb', 'power', 850, '850 W'],
  ['gb', 'power', 1_200, '1200 W'],
  ['gb', 'power', 12_000, '12,000 W'],
  ['de', 'power', 12_000, '12.000 W'],
  ['fr', 'power', 12_000, '12\u202f000 W'],
  ['de', 'volume', 2.5, '2,5 l'],
  ['gb', 'volume', 2.5, '2.5 L'],
  ['gb', 'volume', 10, '10 L'],
  ['gb', 'power', 0.125, '0.13 W'],
  ['de', 'pieces', 8, '8 Stück'],
  ['de', 'color', 'blue', 'blau'],
  ['de', 'color', 'sage', 'sage'],
  ['gb', 'size', '4,0 x 40', '4.0 x 40'],
  ['de', 'size', '4,0 x 40', '4,0 x 40'],
  // Not translated into Italian yet: falls back to English, never to an empty text.
  ['it', 'color', 'blue', 'blue'],
  ['it', 'pieces', 8, '8 pcs'],
  ['gb', 'unheard-of', 1, null],
]
for (const [market, key, value, expected] of cases) {
  test(`an attribute in the language of ${market}: ${key} ${value} is ${expected}`, () => assert.equal(text(market, key, value), expected))
}

test('a table of technical data lists measurements before texts and leaves out unknown attributes', () => {
  const shown = showAttributes(vocabulary, 'de', { color: 'blue', ghost: 3, power: 850, size: '4,0 x 40', volume: 2.5 })
  assert.deepEqual(
    shown.map(({ key, label, value, unit, raw }) => [key, label, value, unit, raw]),
    [
      ['power', 'power (de)', '850', 'W', 850],
      ['volume', 'volume (de)', '2,5', 'l', 2.5],
      ['color', 'color (de)', 'blau', null, 'blue'],
      ['size', 'size (de)', '4,0 x 40', null, '4,0 x 40'],
    ],
  )
})

test('a text falls back from the language to English, then to any; without texts it is empty', () => {
  assert.equal(inLanguage({ fr: 'Scie', en: 'Saw' }, 'fr'), 'Scie')
  assert.equal(inLanguage({ fr: 'Scie', en: 'Saw' }, 'de'), 'Saw')
  assert.equal(inLanguage({ fr: 'Scie' }, 'de'), 'Scie')
  assert.deepEqual([inLanguage({}, 'de'), inLanguage(null, 'de'), inLanguage(undefined, 'de')], ['', '', ''])
})

/** Rows of a tree: the first are departments, each later one has an earlier one as its parent, at most three levels deep. */
const anyRows = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 3 })), { minLength: 1, maxLength: 25 }).map((draws) => {
  const rows: CategoryRow[] = []
  for (const [index, [draw, position]] of draws.entries()) {
    const able = rows.filter(({ level }) => level < 3)
    const parent = draw % 4 === 0 ? undefined : able[draw % Math.max(1, able.length)]
    rows.push({
      id: index + 1,
      parentId: parent?.id ?? null,
      level: parent ? parent.level + 1 : 0,
      position,
      path: [...(parent?.path ?? []), index + 1],
      department: 'tools',
      names: {},
      slugs: { en: 'x' },
      texts: {},
    })
  }
  return rows
})

test('R-341 a category tree contains every category once, below its parent, in display order, whatever the order of its rows', () => {
  fc.assert(
    fc.property(anyRows, fc.nat(), (rows, turn) => {
      const at = turn % rows.length
      const tree = categoryTree([...rows.slice(at), ...rows.slice(0, at)])
      const seen: number[] = []
      const walk = (list: typeof tree.departments, path: number[]): void => {
        const order = list.map(({ position, id }) => position * 1_000 + id)
        assert.deepEqual(
          order,
          order.toSorted((a, b) => a - b),
        )
        for (const category of list) {
          seen.push(category.id)
          assert.deepEqual(category.path, [...path, category.id])
          assert.deepEqual(
            category.parents.map(({ id }) => id),
            path,
          )
          walk(category.children, category.path)
        }
      }
      walk(tree.departments, [])
      assert.deepEqual(
        seen.toSorted((a, b) => a - b),
        rows.map(({ id }) => id),
      )
    }),
  )
})

test('a row whose parent is missing is left out', () => {
  const row = { id: 2, parentId: 1, level: 1, position: 0, path: [1, 2], department: 'x', names: {}, slugs: {}, texts: {} }
  const tree = categoryTree([row])
  assert.deepEqual([tree.departments, tree.byId.get(2)?.parents], [[], []])
})

test('addresses end in the significant id', () => {
  assert.equal(productUrl('cordless-drill', '7'), '/p/cordless-drill-7')
  assert.equal(categoryUrl({ id: 11, slugs: { en: 'drills', de: 'bohrmaschinen' } }, 'de'), '/bohrmaschinen-11')
  assert.equal(brandUrl({ id: 2, slug: 'brexiro' }), '/brand/brexiro-2')
  assert.equal(pictureUrl('7', { view: 'main' }, 'abc'), '/pictures/p/7/main.svg?v=abc')
  assert.equal(pictureUrl('7', { view: 'main', file: 'private/upload/x.png' }, 'abc'), '/pictures/p/7/main.svg?v=abc')
  for (const market of marketCodes) assert.match(categoryUrl({ id: 1, slugs: { en: 'tools' } }, markets[market].language), /^\/tools-1$/)
})
