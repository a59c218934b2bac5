import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monthsBefore } from './months-before.ts'

for (const [date, months, expected] of [
  ['2027-05-31T08:15:00.000Z', 6, '2026-11-30T08:15:00.000Z'],
  ['2027-06-01T08:15:00.000Z', 6, '2026-12-01T08:15:00.000Z'],
  ['2027-05-30T23:59:59.999Z', 3, '2027-02-28T23:59:59.999Z'],
  ['2028-05-31T00:00:00.000Z', 3, '2028-02-29T00:00:00.000Z'],
  ['2027-01-15T00:00:00.000Z', 13, '2025-12-15T00:00:00.000Z'],
] as const)
  test(`${months} months before ${date} are ${expected}`, () => {
    const given = new Date(date)
    assert.equal(monthsBefore(given, months).toISOString(), expected)
    assert.equal(given.toISOString(), date, 'the date given stays')
  })
