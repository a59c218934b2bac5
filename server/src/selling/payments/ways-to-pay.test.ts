import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waysToPay } from './ways-to-pay.ts'

const credits = ['klarna', 'three-parts']
const hasCredit = (mode: 'b2c' | 'b2b', amount: number) => waysToPay({ mode, amount }).some((way) => credits.includes(way))

test('wallets pay any sum; credit is for consumers and sums between 35 and 1,500', () => {
  assert.deepEqual(waysToPay({ mode: 'b2b', amount: 1 }), ['apple-pay', 'google-pay', 'paypal'])
  for (const [amount, expected] of [
    [3_499, false],
    [3_500, true],
    [150_000, true],
    [150_001, false],
  ] as const) {
    assert.equal(hasCredit('b2c', amount), expected, String(amount))
    assert.equal(hasCredit('b2b', amount), false)
  }
})
