import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hexOf } from './colors.ts'
import { families } from './families.ts'
import { drawPicture, pictureViews } from './index.ts'
import type { PictureRequest } from './index.ts'
import { faults } from './well-formed.ts'

const keys = Object.keys(families)

/** Any attribute a product of the shop may have, sensible or not. */
const attrs = fc.dictionary(
  fc.constantFrom(
    'color',
    'finish',
    'material',
    'type',
    'tile',
    'power_source',
    'pack_content',
    'section',
    'cyl',
    'use_for',
    'mounting',
    'diameter',
    'length_mm',
    'length_m',
    'pack_qty',
    'volume',
    'tank',
    'power',
    'width_cm',
    'height_cm',
    'thickness',
    'blade_d',
    'teeth',
    'poles',
    'steps',
    'shelves',
    'doors_n',
    'area_m2',
    'head_type',
    'drive',
    'kelvin',
    'weight_kg',
  ),
  fc.oneof(
    fc.constantFrom(
      'white',
      'blue',
      'natural_oak',
      'chrome',
      'steel',
      'E27',
      'GU10',
      '60 x 60 cm',
      '3 x 1,5 mm²',
      '30x40 mm',
      'battery',
      'kit2',
      'sliding_d',
      'torx',
      'hex',
      'wall_hung',
      '#a1b2c3',
    ),
    fc.integer({ min: 0, max: 3000 }),
    fc.double({ min: 0.01, max: 50, noNaN: true }),
    fc.string({ maxLength: 12 }),
  ),
)
const request: fc.Arbitrary<PictureRequest> = fc
  .record({
    family: fc.constantFrom(...keys),
    attrs,
    brand: fc.constantFrom('Tarvok', 'Schliessara', 'Éole & <Fils>', '', '工具'),
    seed: fc.integer(),
    pick: fc.nat(9),
  })
  .map(({ pick, ...r }) => {
    const views = pictureViews(r.family)
    return { ...r, view: views[pick % views.length] ?? 'main' }
  })

test('every family has a main picture and at least three views', () => {
  assert.ok(keys.length >= 62)
  for (const family of keys) {
    const views = pictureViews(family)
    assert.equal(views[0], 'main')
    assert.ok(views.length >= 3, family)
    assert.equal(new Set(views).size, views.length)
  }
})

test('an unknown family is refused', () => {
  assert.throws(() => pictureViews('teapot'), RangeError)
  assert.throws(() => pictureViews('constructor'), RangeError)
  assert.throws(() => drawPicture({ family: 'teapot', attrs: {}, brand: 'Tarvok', seed: 1, view: 'main' }), RangeError)
})

test('every view of every family is a well-formed picture of bounded size', () => {
  for (const family of keys) {
    for (const view of pictureViews(family)) {
      const svg = drawPicture({ family, attrs: {}, brand: 'Schliessara', seed: 7, view })
      assert.deepEqual(faults(svg), [], `${family} ${view}`)
      assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="480" height="480" viewBox="0 0 480 480">/)
      assert.ok(svg.length < 14_000, `${family} ${view} takes ${svg.length} bytes`)
    }
  }
})

test('for any attributes, brand and seed: well-formed, bounded and deterministic', () => {
  fc.assert(
    fc.property(request, (r) => {
      const svg = drawPicture(r)
      assert.deepEqual(faults(svg), [])
      assert.ok(svg.length < 18_000, `${svg.length} bytes`)
      assert.equal(drawPicture(structuredClone(r)), svg)
    }),
    { numRuns: 1500, examples: [[{ family: 'led_panel', attrs: { tile: '>' }, brand: 'Tarvok', seed: 0, view: 'dimensions' }]] },
  )
})

test('the views of a product differ from each other', () => {
  for (const family of keys) {
    const drawn = pictureViews(family).map((view) =>
      drawPicture({ family, attrs: {}, brand: 'Tarvok', seed: 3, view }).replace(/p[a-z\d]+(?=[")])/g, ''),
    )
    assert.equal(new Set(drawn).size, drawn.length, family)
  }
})

test('two pictures in one page share no id', () => {
  const idsOf = (view: 'main' | 'detail', seed: number): string[] =>
    [...drawPicture({ family: 'padlock', attrs: {}, brand: 'Tornavex', seed, view }).matchAll(/ id="([^"]+)"/g)].map((m) => m[1] ?? '')
  const all = [...idsOf('main', 1), ...idsOf('main', 2), ...idsOf('detail', 1)]
  assert.equal(new Set(all).size, all.length)
})

/** The shapes without ids, which differ only if the drawing does. */
const shapes = (family: string, attrs: Record<string, string | number>): string =>
  drawPicture({ family, attrs, brand: 'Tarvok', seed: 1, view: 'main' }).replace(/(id="|url\(#)[^")]+/g, '')

for (const [family, key, values] of [
  ['cordless_drill', 'color', ['blue', 'green', 'yellow', 'red']],
  ['wall_paint', 'color', ['sage', 'terracotta', 'taupe', 'blue', 'sand']],
  ['enamel', 'color', ['red', 'green', 'blue', 'yellow', 'brown']],
  ['laminate', 'color', ['natural_oak', 'grey_oak', 'walnut', 'beige']],
  ['garden_shed', 'color', ['anthracite', 'natural_oak', 'green', 'brown']],
  ['parasol', 'color', ['anthracite', 'beige', 'terracotta']],
  ['basin_tap', 'finish', ['chrome', 'brushed_steel', 'brass', 'matt_black']],
] as const) {
  test(`${family} is drawn in the colour it is sold in`, () => {
    for (const value of values) {
      const svg = drawPicture({ family, attrs: { [key]: value }, brand: 'Tarvok', seed: 1, view: 'main' })
      const hex = hexOf[value]
      assert.ok(hex)
      assert.ok(nearest(svg, hex) < 40, `${family} ${value} has no colour near ${hex}`)
    }
  })
}

/** Distance in RGB from a colour to the nearest one in a picture. */
function nearest(svg: string, hex: string): number {
  const rgb = (h: string): number[] => [1, 3, 5].map((i) => Number.parseInt(h.slice(i, i + 2), 16))
  const target = rgb(hex)
  let best = Number.POSITIVE_INFINITY
  for (const [found] of svg.matchAll(/#[\da-f]{6}/g)) best = Math.min(best, Math.hypot(...rgb(found).map((v, i) => v - (target[i] ?? 0))))
  return best
}

test('attributes that matter to customers change the picture', () => {
  const table: Record<string, Record<string, readonly (string | number)[]>> = {
    cordless_drill: { pack_content: ['bare', 'kit1', 'kit2'], capacity_ah: [2, 5] },
    saw_blade: { blade_d: [140, 190, 305], teeth: [20, 40, 80], use_for: ['for_wood', 'for_metal'] },
    drill_bits: { pieces: [5, 19, 100], use_for: ['for_wood', 'for_metal', 'for_concrete'] },
    screws: {
      head_type: ['csk', 'pan', 'hex'],
      drive: ['torx', 'pozi'],
      length_mm: [20, 60, 200],
      diameter: [3, 5, 8],
      material: ['zinc_plated', 'yellow_zinc'],
    },
    water_heater: { tank: [10, 15, 30, 50, 80, 100, 150, 200] },
    led_bulb: { type: ['E27', 'E14', 'GU10', 'B22', 'G9'], kelvin: [2700, 4000, 6500], pack_qty: [1, 2, 5] },
    led_panel: { tile: ['30 x 30 cm', '30 x 120 cm', '60 x 60 cm'], kelvin: [3000, 4000, 6000] },
    circuit_breaker: { poles: [1, 2, 3, 4], current: [6, 10, 16, 63] },
    cable: { section: ['2 x 1,5 mm²', '3 x 2,5 mm²', '5 x 2,5 mm²'], length_m: [5, 25, 100] },
    toilet: { mounting: ['wall_hung', 'close_coupled'], color: ['white', 'matt_black'] },
    wardrobe: { type: ['hinged', 'sliding_d'], width_cm: [80, 150, 250], doors_n: [2, 3, 4] },
    towel_radiator: { height_cm: [80, 120, 180], width_cm: [40, 60], color: ['white', 'chrome'] },
    fence_panel: { height_cm: [83, 123, 193], color: ['anthracite', 'green'] },
    gate_motor: { type: ['swinging', 'sliding'] },
    floor_tile: { tile: ['30 x 60 cm', '60 x 60 cm', '20 x 120 cm'], finish: ['matt', 'polished'] },
    gloves: { material: ['nitrile', 'latex', 'pu', 'leather'], size: ['7', '9', '11'], pack_qty: [1, 3, 5] },
    pvc_pipe: { diameter: [32, 100, 200], length_m: [1, 2, 4] },
    cement: { weight_kg: [5, 10, 25, 35] },
  }
  for (const [family, axes] of Object.entries(table)) {
    for (const [key, values] of Object.entries(axes)) {
      const drawn = new Set(values.map((value) => shapes(family, { [key]: value })))
      assert.equal(drawn.size, values.length, `${family} by ${key}`)
    }
  }
})

test('a bigger tank is drawn taller', () => {
  const heightOf = (tank: number): number => {
    const svg = drawPicture({ family: 'water_heater', attrs: { tank }, brand: 'Calorvane', seed: 1, view: 'main' })
    return Number(/v([\d.]+)q0 30/.exec(svg)?.[1])
  }
  const heights = [30, 50, 80, 100, 150, 200].map(heightOf)
  assert.deepEqual(
    heights,
    heights.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(heights).size, heights.length)
})

test('the dimensions of a product are annotated', () => {
  for (const [family, attrs, text] of [
    ['wardrobe', { width_cm: 180, height_cm: 210 }, ['180 cm', '210 cm']],
    ['saw_blade', { blade_d: 216 }, ['216 mm']],
    ['padlock', { width_mm: 60 }, ['60 mm']],
    ['screws', { diameter: 3.5, length_mm: 35 }, ['Ø 3½ × 35 mm']],
    ['wall_paint', { volume: 2.5 }, ['2½ L']],
    ['enamel', { volume: 0.75 }, ['¾ L']],
    ['floor_tile', { tile: '60 x 120 cm' }, ['60 × 120 cm']],
  ] as const) {
    const svg = drawPicture({ family, attrs, brand: 'Tarvok', seed: 1, view: 'dimensions' })
    for (const t of text) assert.ok(svg.includes(`>${t}</text>`), `${family}: ${t}`)
  }
})

test('more than 2,000 pictures are drawn per second', () => {
  const draw = (n: number): void => {
    for (let i = 0; i < n; i++)
      drawPicture({ family: keys[i % keys.length] ?? '', attrs: { color: 'blue' }, brand: 'Tarvok', seed: i, view: 'main' })
  }
  draw(600)
  // The best of five: a busy machine slows a run, it cannot speed one up.
  let best = 0
  for (let run = 0; run < 5; run++) {
    const start = performance.now()
    draw(500)
    best = Math.max(best, 500_000 / (performance.now() - start))
  }
  assert.ok(best > 2000, `${Math.round(best)} pictures/s`)
})
