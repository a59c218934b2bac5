import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tickedIn } from './ticked-items.ts'

test('only ticked items count, each with its quantity; what is no number is one piece', () => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ 'quantities.1': ' 8 ', 'quantities.2': '5', 'quantities.3': 'x', 'quantities.4': '0' }))
    form.append(name, value)
  for (const id of ['1', '3', '4']) form.append('take', id)
  assert.deepEqual(tickedIn(form), [
    { offerId: '1', quantity: 8 },
    { offerId: '3', quantity: 1 },
    { offerId: '4', quantity: 1 },
  ])
})
