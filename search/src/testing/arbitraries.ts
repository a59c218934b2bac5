import fc from 'fast-check'
import type { Filter } from '../query/filter-parser.ts'
import { vocabulary, type Product } from './model.ts'

const brands = ['Tarvok', 'Brexiro', 'Maison & Fils', 'Bob "the" Co', 'Ämter']
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 5 })
const words = (max: number) => fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: max }).map((list) => list.join(' '))

export const objectIDs = fc.integer({ min: 0, max: 40 }).map((number) => `p${number}`)

export const products: fc.Arbitrary<Product> = fc
  .record({
    objectID: objectIDs,
    title: words(4),
    text: words(8),
    brand: optional(fc.constantFrom(...brands)),
    tags: optional(fc.uniqueArray(fc.constantFrom('red', 'blue', 'green', 'eco'), { maxLength: 3 })),
    isNew: optional(fc.boolean()),
    price: optional(fc.integer({ min: 0, max: 30 }).map((cents) => cents / 4)),
    rating: optional(fc.integer({ min: 1, max: 5 })),
    popularity: optional(fc.integer({ min: 0, max: 5 })),
    model: optional(fc.constantFrom('m1', 'm2', 'm3', 'm4')),
    categories: optional(
      fc.constantFrom(
        { lvl0: 'Tools', lvl1: 'Tools > Drills' },
        { lvl0: 'Tools', lvl1: 'Tools > Saws' },
        { lvl0: 'Garden', lvl1: 'Garden > Hoses' },
      ),
    ),
  })
  .map((product) => JSON.parse(JSON.stringify(product)) as Product)

const leaves: fc.Arbitrary<Filter> = fc.oneof(
  fc.constantFrom(...brands).map((value): Filter => ({ kind: 'value', attribute: 'brand', value, score: 1 })),
  fc.constantFrom('red', 'blue', 'eco', 'none').map((value): Filter => ({ kind: 'value', attribute: 'tags', value, score: 1 })),
  fc.boolean().map((value): Filter => ({ kind: 'value', attribute: 'isNew', value: String(value), score: 1 })),
  fc.constantFrom('Tools', 'Garden').map((value): Filter => ({ kind: 'value', attribute: 'categories.lvl0', value, score: 1 })),
  objectIDs.map((value): Filter => ({ kind: 'value', attribute: 'objectID', value, score: 1 })),
  fc
    .record({
      attribute: fc.constantFrom('price', 'rating'),
      operator: fc.constantFrom('<', '<=', '=', '!=', '>', '>='),
      number: fc.integer({ min: 0, max: 16 }).map((n) => n / 2),
    })
    .map((of): Filter => ({ kind: 'compare', ...of })),
  fc
    .record({ attribute: fc.constantFrom('price', 'rating'), from: fc.integer({ min: 0, max: 4 }), to: fc.integer({ min: 2, max: 8 }) })
    .map((of): Filter => ({ kind: 'range', ...of })),
)

export const filters: fc.Arbitrary<Filter> = fc.letrec<{ tree: Filter; leaf: Filter }>((tie) => ({
  leaf: leaves,
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((of): Filter => ({ kind: 'and', of })),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((of): Filter => ({ kind: 'or', of })),
    tie('tree').map((of): Filter => ({ kind: 'not', of })),
  ),
})).tree

export const queries = fc.array(fc.constantFrom(...vocabulary), { maxLength: 3 })
