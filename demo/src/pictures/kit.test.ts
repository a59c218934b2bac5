import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { brandColor, brightness, entry, hexOf, inkOn, mix, shade } from './colors.ts'
import { wordPath } from './glyphs.ts'
import { span } from './bodies.ts'
import { takePen } from './pen.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((v) => `#${v.toString(16).padStart(6, '0')}`)

test('shading lightens for positive values, darkens for negative ones, and stays a valid colour', () => {
  fc.assert(
    fc.property(hex, fc.double({ min: -1, max: 1, noNaN: true }), (color, k) => {
      const shaded = shade(color, k)
      assert.match(shaded, /^#[\da-f]{6}$/)
      if (k > 0) assert.ok(brightness(shaded) >= brightness(color) - 0.003)
    }),
  )
  assert.equal(shade('#336699', 0), '#336699')
  assert.equal(shade('#336699', 1), '#ffffff')
})

test('mixing at 0 and 1 gives the two colours', () => {
  fc.assert(
    fc.property(hex, hex, (a, b) => {
      assert.equal(mix(a, b, 0), a)
      assert.equal(mix(a, b, 1), b)
    }),
  )
})

test('lettering contrasts with every background', () => {
  fc.assert(fc.property(hex, (ground) => assert.ok(Math.abs(brightness(ground) - brightness(inkOn(ground))) > 0.38)))
})

test('a brand keeps its colour', () => {
  fc.assert(fc.property(fc.string(), (brand) => assert.equal(brandColor(brand), brandColor(brand))))
  assert.ok(new Set(['Tarvok', 'Kordanix', 'Brexiro', 'Drevanto', 'Malkarin', 'Silvarello'].map(brandColor)).size > 3)
})

test('inherited names are not entries of a table', () => {
  assert.equal(entry(hexOf, 'walnut', '#000000'), '#5d432c')
  assert.equal(entry(hexOf, 'constructor', '#000000'), '#000000')
})

test('a span is clamped to its ends', () => {
  assert.equal(span(5, 0, 10, 100, 200), 150)
  assert.equal(span(-3, 0, 10, 100, 200), 100)
  assert.equal(span(99, 0, 10, 100, 200), 200)
})

test('letters are placed in the order of the word', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z]{1,12}$/), (word) => {
      const { d, width } = wordPath(word)
      assert.ok(d.startsWith('M'))
      assert.ok(width <= word.length * 15)
      assert.equal(wordPath(`${word}M`).width > width, true)
      for (const [, x] of d.matchAll(/[MLH](-?[\d.]+)/g)) assert.ok(Number(x) >= 0 && Number(x) <= width + 0.06)
    }),
  )
})

test('a narrow letter keeps its distance like any other', () => {
  assert.ok(Math.abs(wordPath('IH').width - (3.4 + wordPath('H').width)) < 0.01)
})

test('accents are removed, unknown characters left out', () => {
  assert.deepEqual(wordPath('Élan'), wordPath('ELAN'))
  assert.deepEqual(wordPath('工具'), { d: '', width: 0 })
})

const pen = (attrs: Record<string, string | number>, mirrored = false) =>
  takePen({ family: 'x', attrs, brand: 'Tarvok', seed: 1 }, 'p', mirrored)

test('numbers are language-neutral', () => {
  for (const [value, text] of [
    [3, '3'],
    [3.5, '3½'],
    [0.25, '¼'],
    [0.75, '¾'],
    [12.5, '12½'],
    ['2,5', '2½'],
    [7.3, '7.3'],
  ] as const) {
    assert.equal(pen({ v: value }).plain('v', 1), text)
  }
  assert.equal(pen({}).plain('v', 7), '7')
})

test('a pair of lengths is parsed from catalogue text and clamped to plausible values', () => {
  assert.deepEqual(pen({ tile: '60 x 120 cm' }).pair('tile', 60, 60), [60, 120])
  assert.deepEqual(pen({ cyl: '30x40 mm' }).pair('cyl', 30, 30), [30, 40])
  assert.deepEqual(pen({ tile: 'round' }).pair('tile', 60, 60), [60, 60])
  assert.deepEqual(pen({ tile: '1 x 9000' }).pair('tile', 60, 60), [15, 240])
})

test('a gradient is defined once, however often it is used', () => {
  const p = pen({})
  const first = p.lin('x', [
    [0, '#111111'],
    [1, '#222222'],
  ])
  assert.equal(
    p.lin('x', [
      [0, '#111111'],
      [1, '#222222'],
    ]),
    first,
  )
  assert.notEqual(
    p.lin('y', [
      [0, '#111111'],
      [1, '#222222'],
    ]),
    first,
  )
  assert.equal(p.defs().match(/<linearGradient/g)?.length, 2)
})

test('on a mirrored product light still comes from the left and the mark is still readable', () => {
  const flipped = pen({}, true)
  flipped.lin('x', [
    [0, '#ffffff'],
    [1, '#000000'],
  ])
  assert.match(flipped.defs(), /x1="1" x2="0"/)
  flipped.mark(10, 10, 10, '#000000')
  assert.match(flipped.body(), /scale\(-1 1\)/)
})
