import assert from 'node:assert/strict'
import { test } from 'node:test'
import { product } from '../testing/goods.ts'
import { pageOf, textOf } from '../testing/shop.ts'

test('products are compared by address: attributes side by side, each once, four at most, and one may be taken away', async () => {
  const { status, body } = await pageOf({ product: product({ id: '12' }) }, '/compare?p=12')
  assert.equal(status, 200)
  const text = textOf(body)
  for (const part of ['Voltage', '18 V', '£49.90', 'Remove']) assert.ok(text.includes(part), part)
  assert.match(body, /name="robots" content="noindex/)
})

test('an address without products, or with unknown or invalid ones, says how to choose', async () => {
  for (const address of ['/compare', '/compare?p=', '/compare?p=x,-1,0'])
    assert.match(textOf((await pageOf({ product: null }, address)).body), /Nothing to compare yet/)
  assert.match(textOf((await pageOf({ product: null }, '/compare?p=99')).body), /Nothing to compare yet/)
})
