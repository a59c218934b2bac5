import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listing, seller } from '../testing/goods.ts'
import { pageOf, textOf } from '../testing/shop.ts'

test('R-158 a seller page shows the full identity, ratings, return terms and products', async () => {
  const { status, body } = await pageOf({ seller: seller(), listing: listing() }, '/seller-7')
  assert.equal(status, 200)
  const text = textOf(body)
  for (const part of [
    'Nordwerk Handel GmbH',
    'Holstenwall 12, 20355 Hamburg, Germany',
    'HRB 12345 Hamburg',
    'DE136695976',
    'hello@nordwerk.example',
    '+49 40 5550123',
    'Answers within 6 h',
    'Thirty days, free of charge.',
    'Free delivery from £49.00',
    'Drill 1',
    'Kastor',
  ])
    assert.ok(text.includes(part), part)
  assert.match(body, /aria-label="4\.2 out of 5, 812 reviews"/)
})

test('an unknown seller is 404', async () => {
  assert.equal((await pageOf({ seller: null, listing: listing() }, '/seller-999')).status, 404)
})

test('a brand has a page with its slug in the address', async () => {
  const brand = { id: 3, name: 'Kastor', url: '/brand/kastor-3', logoUrl: '/pictures/b/3.svg', text: 'Tools since 1921.', alternates: [] }
  const { body } = await pageOf({ brand, listing: listing() }, '/brand/kastor-3')
  assert.ok(textOf(body).includes('Tools since 1921.') && textOf(body).includes('Drill 2'))
  const moved = await pageOf({ brand, listing: listing() }, '/brand/castor-3')
  assert.deepEqual([moved.status, moved.headers.location], [301, '/brand/kastor-3'])
  assert.equal((await pageOf({ brand: null, listing: listing() }, '/brand/x-9')).status, 404)
})
