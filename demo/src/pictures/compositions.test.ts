import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { drawBrandLogo, drawCategoryPicture, drawHero, heroThemes, pictureDepartments } from './index.ts'
import { faults } from './well-formed.ts'

test('each of the 18 departments has a picture of its own', () => {
  assert.equal(pictureDepartments.length, 18)
  const drawn = pictureDepartments.map(drawCategoryPicture)
  for (const [i, svg] of drawn.entries()) {
    assert.deepEqual(faults(svg), [], String(pictureDepartments[i]))
    assert.match(svg, /width="480" height="360" viewBox="0 0 480 360"/)
    assert.ok(svg.length < 22_000, `${pictureDepartments[i]} takes ${svg.length} bytes`)
  }
  assert.equal(new Set(drawn).size, 18)
})

test('all department pictures can share one page: ids are unique', () => {
  const ids = pictureDepartments.flatMap((key) => [...drawCategoryPicture(key).matchAll(/ id="([^"]+)"/g)].map((m) => m[1]))
  assert.equal(new Set(ids).size, ids.length)
})

test('an unknown department or theme is refused', () => {
  assert.throws(() => drawCategoryPicture('spaceships'), RangeError)
  assert.throws(() => drawCategoryPicture('constructor'), RangeError)
  assert.throws(() => drawHero('spaceships'), RangeError)
})

test('the home page has its four wide pictures', () => {
  assert.deepEqual([...heroThemes], ['workshop', 'garden', 'paint', 'pro'])
  for (const theme of heroThemes) {
    const svg = drawHero(theme)
    assert.deepEqual(faults(svg), [], theme)
    assert.match(svg, /width="1440" height="480" viewBox="0 0 1440 480"/)
    assert.ok(svg.length < 48_000, `${theme} takes ${svg.length} bytes`)
    assert.equal(drawHero(theme), svg)
  }
})

test('any brand gets a small well-formed wordmark, deterministically', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom('Tarvok', 'Schliessara', 'Ångström', '')), (brand) => {
      const svg = drawBrandLogo(brand)
      assert.deepEqual(faults(svg), [])
      assert.match(svg, /height="40"/)
      assert.ok(svg.length < 4000)
      assert.equal(drawBrandLogo(brand), svg)
    }),
  )
})

test('a longer name makes a wider wordmark, and brands look different', () => {
  const widthOf = (brand: string): number => Number(/width="(\d+)"/.exec(drawBrandLogo(brand))?.[1])
  assert.ok(widthOf('TarvokTarvokTarvok') > widthOf('Tarvok'))
  const brands = ['Tarvok', 'Kordanix', 'Brexiro', 'Drevanto', 'Hakmoro', 'Malkarin', 'Tolvika']
  assert.equal(new Set(brands.map(drawBrandLogo)).size, brands.length)
})
