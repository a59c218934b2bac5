import assert from 'node:assert/strict'
import { test } from 'node:test'
import { financing, isFinanced, scheduleOf } from './financing.ts'

test('a schedule repays exactly what was lent, in equal instalments but for the rounding of the last', () => {
  for (const amount of [100_000, 123_457, 1_000_000, 5_000_000])
    for (const months of financing.months) {
      const { instalments, total, interest } = scheduleOf(amount, months)
      assert.equal(instalments.length, months)
      assert.equal(instalments.at(-1)?.left, 0)
      assert.equal(
        instalments.reduce((all, { repayment }) => all + repayment, 0),
        amount,
      )
      assert.equal(total, amount + interest)
      const [first] = instalments
      assert.ok(instalments.slice(0, -1).every(({ payment }) => payment === first?.payment))
      assert.ok(Math.abs((instalments.at(-1)?.payment ?? 0) - (first?.payment ?? 0)) <= months)
    }
})

test('10,000.00 over 12 months at 7.9 % cost 869.42 a month, 8.19 % effective', () => {
  const { instalments, effectiveRate } = scheduleOf(1_000_000, 12)
  assert.equal(instalments[0]?.payment, 86_942)
  assert.equal(instalments[0]?.interest, 6_583)
  assert.equal(effectiveRate.toFixed(4), '0.0819')
})

test('amounts from 1,000 to 50,000 over the offered terms are financed', () => {
  const rows: [number, number, boolean][] = [
    [999, 12, false],
    [1_000, 12, true],
    [50_000, 60, true],
    [50_001, 60, false],
    [1_000, 13, false],
    [1_000.5, 12, false],
  ]
  for (const [amount, months, expected] of rows) assert.equal(isFinanced(amount, months), expected)
})
