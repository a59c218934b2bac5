import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseForm } from './listing-form.ts'

test('the filter form gives the same selection as its address would', () => {
  const fields: [string, string][] = [
    ['f[brand]', '1'],
    ['f[brand]', '2'],
    ['min[price]', '10'],
    ['max[price]', ''],
    ['sort', 'rating'],
    ['f[]', 'x'],
  ]
  const { filters, ranges } = parseForm(fields)
  assert.deepEqual(filters, { brand: ['1', '2'] })
  assert.deepEqual(ranges, { price: { min: '10', max: '' } })
})
