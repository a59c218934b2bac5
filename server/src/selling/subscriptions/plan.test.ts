import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { anchorOf, periodEnd, treatmentOf, type SubscriptionPeriod, type SubscriptionTreatment } from './plan.ts'

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

const treatments: [market: Market, country: string, confirmedVatNumber: string | null, treatment: SubscriptionTreatment][] = [
  ['fr', 'FR', 'FR12345678901', 'domestic'],
  ['fr', 'BE', null, 'domestic'],
  ['fr', 'BE', 'BE0123456789', 'reverse-charge'],
  ['fr', 'BE', 'DE123456789', 'reverse-charge'],
  ['de', 'GR', 'EL123456789', 'reverse-charge'],
  ['fr', 'GB', 'DE123456789', 'reverse-charge'],
  // Established here, by its address or its number.
  ['fr', 'BE', 'FR12345678901', 'domestic'],
  ['fr', 'FR', 'DE123456789', 'domestic'],
  ['fr', 'FR', 'GB123456789', 'domestic'],
  // Between the Union and the United Kingdom, to which Northern Ireland belongs for services.
  ['fr', 'GB', null, 'domestic'],
  ['fr', 'GB', 'GB123456789', 'outside-scope'],
  ['de', 'GB', 'XI123456789', 'outside-scope'],
  ['fr', 'BE', 'GB123456789', 'outside-scope'],
  ['fr', 'IE', 'XI123456789', 'outside-scope'],
  ['gb', 'FR', 'FR12345678901', 'outside-scope'],
  ['gb', 'GR', 'EL123456789', 'outside-scope'],
  ['gb', 'FR', null, 'gb'],
  ['gb', 'GB', 'GB123456789', 'gb'],
  ['gb', 'IE', 'XI123456789', 'gb'],
  ['gb', 'GB', 'FR12345678901', 'gb'],
]
for (const [market, country, number, treatment] of treatments)
  test(`R-256 the subscription of a company of ${country} with ${number ?? 'no confirmed number'} in ${market} is ${treatment}`, () =>
    assert.equal(treatmentOf(market, { country, confirmedVatNumber: number }), treatment))
