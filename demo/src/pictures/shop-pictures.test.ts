import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { drawPicture, isPictured, pictureViews } from './index.ts'
import { faults } from './well-formed.ts'

interface Kind {
  key: string
  attrs: Record<string, (string | number)[]>
}

const read = <Data>(file: string): Data => JSON.parse(readFileSync(new URL(`../../data/${file}`, import.meta.url), 'utf8')) as Data
const kinds = [...read<{ families: Kind[] }>('grammar.json').families, ...read<Kind[]>('extra-families.json')]

test('every family of the shop has a drawing of its own', () => {
  assert.deepEqual(
    kinds.map(({ key }) => key).filter((key) => !isPictured(key)),
    [],
  )
})

/** A product as the shop sells it: a value from the family's list for each attribute. */
const product = fc.constantFrom(...kinds).chain(({ key, attrs }) =>
  fc.record({
    family: fc.constant(key),
    attrs: fc.record(Object.fromEntries(Object.entries(attrs).map(([name, values]) => [name, fc.constantFrom(...values)]))),
    brand: fc.constantFrom('Tarvok', 'Schliessara', 'Ombralino'),
    seed: fc.nat(),
  }),
)

test('every product of the shop has small, well-formed drawings in all its views', () => {
  fc.assert(
    fc.property(product, (of) => {
      for (const view of pictureViews(of.family)) {
        const svg = drawPicture({ ...of, view })
        assert.deepEqual(faults(svg), [], `${of.family} ${view}`)
        assert.ok(svg.length < 16_000, `${of.family} ${view} takes ${svg.length} bytes`)
      }
    }),
    { numRuns: 600 },
  )
})

test('a product in another colour has another picture, for every family sold by colour', () => {
  for (const { key, attrs } of kinds) {
    const colors = [...new Set(attrs.color ?? [])]
    if (colors.length < 2) continue
    // With the first and the last value of all other attributes: no material may hide the colour.
    for (const end of [0, -1]) {
      const rest = Object.fromEntries(Object.entries(attrs).map(([name, values]) => [name, values.at(end) ?? '']))
      const drawn = colors.map((color) =>
        drawPicture({ family: key, attrs: { ...rest, color }, brand: 'Tarvok', seed: 1, view: 'main' }).replace(/(id="|url\(#)[^")]+/g, ''),
      )
      assert.equal(new Set(drawn).size, drawn.length, `${key} by colour`)
    }
  }
})
