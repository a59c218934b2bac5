import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { anchorOf, periodEnd, type SubscriptionPeriod } from './plan.ts'

const cases: [start: string, period: SubscriptionPeriod, anchorDay: number, end: string, market?: Market][] = [
  ['2026-01-15T08:30Z', 'monthly', 15, '2026-02-15T08:30Z'],
  ['2026-01-29T08:30Z', 'monthly', 29, '2026-02-28T08:30Z'],
  ['2026-01-31T08:30Z', 'monthly', 31, '2026-02-28T08:30Z'],
  // The day returns after a shorter month, and the clocks change.
  ['2026-02-28T08:30Z', 'monthly', 31, '2026-03-31T07:30Z'],
  ['2026-03-31T07:30Z', 'monthly', 31, '2026-04-30T07:30Z'],
  ['2028-01-31T08:30Z', 'monthly', 31, '2028-02-29T08:30Z'],
  ['2028-02-29T08:30Z', 'monthly', 30, '2028-03-30T07:30Z'],
  ['2026-12-31T08:30Z', 'monthly', 31, '2027-01-31T08:30Z'],
  ['2026-01-15T08:30Z', 'yearly', 15, '2027-01-15T08:30Z'],
  ['2028-02-29T08:30Z', 'yearly', 29, '2029-02-28T08:30Z'],
  ['2031-02-28T08:30Z', 'yearly', 29, '2032-02-29T08:30Z'],
  // Half past midnight in Madrid, on the first.
  ['2026-02-28T23:30Z', 'monthly', 1, '2026-03-31T22:30Z', 'es'],
  ['2026-07-31T22:30Z', 'monthly', 1, '2026-08-31T22:30Z', 'es'],
  ['2026-01-31T23:30Z', 'monthly', 31, '2026-02-28T23:30Z', 'gb'],
  ['2026-08-30T23:30Z', 'monthly', 31, '2026-09-29T23:30Z', 'gb'],
  // Half past two does not exist on the day of the change: an hour later.
  ['2026-02-28T01:30Z', 'monthly', 29, '2026-03-29T01:30Z', 'es'],
  ['2026-09-25T00:30Z', 'monthly', 25, '2026-10-25T01:30Z', 'es'],
]
for (const [start, period, anchorDay, end, market = 'gb'] of cases)
  test(`R-256 a ${period} period in ${market} from ${start} with the anchor ${anchorDay} ends at ${end}`, () =>
    assert.deepEqual(periodEnd(market, new Date(start), period, anchorDay), new Date(end)))

const anchors: [market: Market, start: string, kept: number | null, anchor: number][] = [
  ['gb', '2026-02-28T08:30Z', null, 28],
  ['gb', '2026-02-28T08:30Z', 31, 31],
  ['gb', '2026-02-28T08:30Z', 27, 28],
  ['gb', '2026-03-28T08:30Z', 31, 28],
  ['gb', '2026-04-30T08:30Z', 31, 31],
  ['gb', '2026-03-31T08:30Z', 31, 31],
  ['gb', '2028-02-28T08:30Z', 31, 28],
  ['es', '2026-02-28T23:30Z', 28, 1],
  ['gb', '2026-07-30T23:30Z', null, 31],
]
for (const [market, start, kept, anchor] of anchors)
  test(`R-256 a period in ${market} from ${start} after the anchor ${kept ?? 'none'} has the anchor ${anchor}`, () =>
    assert.equal(anchorOf(market, new Date(start), kept), anchor))
