import assert from 'node:assert/strict'
import { test } from 'node:test'
import { periodEnd, type SubscriptionPeriod } from './plan.ts'

const cases: [start: string, period: SubscriptionPeriod, anchorDay: number, end: string][] = [
  ['2026-01-15', 'monthly', 15, '2026-02-15'],
  ['2026-01-29', 'monthly', 29, '2026-02-28'],
  ['2026-01-31', 'monthly', 31, '2026-02-28'],
  // The day returns after a shorter month.
  ['2026-02-28', 'monthly', 31, '2026-03-31'],
  ['2026-03-31', 'monthly', 31, '2026-04-30'],
  ['2028-01-31', 'monthly', 31, '2028-02-29'],
  ['2028-02-29', 'monthly', 30, '2028-03-30'],
  ['2026-12-31', 'monthly', 31, '2027-01-31'],
  ['2026-01-15', 'yearly', 15, '2027-01-15'],
  ['2028-02-29', 'yearly', 29, '2029-02-28'],
  ['2031-02-28', 'yearly', 29, '2032-02-29'],
]
for (const [start, period, anchorDay, end] of cases)
  test(`R-256 a ${period} period from ${start} with the anchor ${anchorDay} ends on ${end}`, () =>
    assert.equal(periodEnd(new Date(`${start}T08:30:00Z`), period, anchorDay).toISOString(), `${end}T08:30:00.000Z`))
