import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { audienceGroup, b2bIntention, buyNumberCluster, churnMarks, customerValue, membership, purchaseCluster } from './buying.ts'
import { loyaltyLevel } from './loyalty.ts'
import type { Buying } from './buying.ts'
import { buyNumberClusters, customerValues, loyaltyTiers, purchaseBands } from './segments.ts'

const buying = (more: Partial<Buying> = {}): Buying => ({
  orders: 0,
  ordersInYear: 0,
  spentInYear: 0,
  lastOrderDays: null,
  lastVisitDays: null,
  ...more,
})

test('R-315…R-318 the buy-number cluster of a number of orders, and of how long ago the last was', () => {
  const cases: [orders: number, inYear: number, days: number | null, cluster: string][] = [
    [0, 0, null, 'prospects'],
    [1, 1, 0, 'occ-b-numb-1'],
    [1, 0, 2000, 'occ-b-numb-1'],
    [2, 2, 10, 'occ-b-numb-2'],
    [3, 3, 10, 'occ-b-numb-3'],
    [4, 4, 10, 'occ-b-numb-4'],
    [5, 5, 10, 'recurring'],
    [50, 5, 180, 'recurring'],
    [6, 6, 10, 'frequent'],
    [11, 11, 10, 'frequent'],
    [12, 12, 10, 'loyal'],
    [12, 12, 180, 'loyal'],
    [12, 12, 181, 'wavering'],
    [5, 0, 900, 'wavering'],
  ]
  for (const [orders, ordersInYear, lastOrderDays, expected] of cases)
    assert.equal(buyNumberCluster(buying({ orders, ordersInYear, lastOrderDays })), expected, `${orders} ${ordersInYear} ${lastOrderDays}`)
})

test('R-325 R-326 purchase bands: one, two to four, five and more; active for a year', () => {
  const cases: [orders: number, days: number | null, cluster: string | null, group: string | null][] = [
    [0, null, null, null],
    [1, 0, 'one-purchase-active', 'one-purchase-all'],
    [1, 365, 'one-purchase-inactive', 'one-purchase-all'],
    [2, 364, 'medium-purchase-active', 'medium-purchase-all'],
    [4, 400, 'medium-purchase-inactive', 'medium-purchase-all'],
    [5, 1, 'high-purchase-active', 'high-purchase-all'],
  ]
  for (const [orders, lastOrderDays, cluster, group] of cases) {
    assert.equal(purchaseCluster(buying({ orders, lastOrderDays })), cluster)
    assert.equal(audienceGroup(buying({ orders, lastOrderDays })), group)
  }
})

test('R-323 R-324 R-328 value, loyalty and membership at their boundaries', () => {
  const values: [spent: number, value: string, member: string | null][] = [
    [0, 'low', null],
    [14_999, 'low', null],
    [15_000, 'medium', null],
    [74_999, 'medium', null],
    [75_000, 'high', 'member'],
    [199_999, 'high', 'member'],
    [200_000, 'very-high', 'top-member'],
  ]
  for (const [spentInYear, value, member] of values)
    assert.deepEqual([customerValue(buying({ spentInYear })), membership(buying({ spentInYear }))], [value, member])
  const tiers: [orders: number, spent: number, tier: string][] = [
    [1, 900_000, 'undefined'],
    [2, 1, 'bronze'],
    [5, 39_999, 'bronze'],
    [4, 40_000, 'bronze'],
    [5, 40_000, 'silver'],
    [9, 100_000, 'silver'],
    [10, 99_999, 'silver'],
    [10, 100_000, 'gold'],
  ]
  for (const [ordersInYear, spentInYear, tier] of tiers)
    assert.equal(loyaltyLevel(buying({ ordersInYear, spentInYear })), tier, `${ordersInYear} ${spentInYear}`)
})

test('R-310 churn marks: who bought twice and has stayed away for half a year, and who for a year; a visit clears them', () => {
  const cases: [orders: number, days: number | null, visit: number | null, anti: boolean, last: boolean][] = [
    [0, null, null, false, false],
    [1, 200, null, false, false],
    [2, 179, null, false, false],
    [2, 180, null, true, false],
    [2, 364, 31, true, false],
    [2, 364, 30, false, false],
    [2, 365, null, false, true],
    [2, 544, null, false, true],
    [2, 544, 0, false, false],
    [2, 545, null, false, false],
  ]
  for (const [orders, lastOrderDays, lastVisitDays, anti, last] of cases)
    assert.deepEqual(
      churnMarks(buying({ orders, lastOrderDays, lastVisitDays })),
      { anti_churn: anti, last_chance_churn: last },
      `${orders} ${lastOrderDays} ${lastVisitDays}`,
    )
})

test('R-319 members are converted, suspected professionals are leads', () => {
  assert.equal(b2bIntention({ isMember: true, isSuspected: true, request: 'refused' }), 'converted')
  assert.equal(b2bIntention({ isMember: false, isSuspected: true, request: null }), 'lead')
  assert.equal(b2bIntention({ isMember: false, isSuspected: true, request: 'refused' }), 'unknown')
  assert.equal(b2bIntention({ isMember: false, isSuspected: false, request: 'lead' }), 'lead')
  assert.equal(b2bIntention({ isMember: false, isSuspected: false, request: 'converted' }), 'unknown')
  assert.equal(b2bIntention({ isMember: false, isSuspected: false, request: null }), 'unknown')
})

/** A consistent history: last year's purchases are part of all. */
const pasts = fc
  .record({
    before: fc.nat(40),
    inYear: fc.nat(40),
    spent: fc.nat(500_000),
    days: fc.nat(1500),
    visit: fc.option(fc.nat(1500)),
  })
  .map(({ before, inYear, spent, days, visit }) =>
    buying({
      orders: before + inYear,
      ordersInYear: inYear,
      spentInYear: inYear === 0 ? 0 : spent,
      lastOrderDays: before + inYear === 0 ? null : inYear > 0 ? days % 365 : 365 + days,
      lastVisitDays: visit,
    }),
  )

test('R-312 any past has values of the enumerations, both marks are never set, and prospects are those without an order', () => {
  fc.assert(
    fc.property(pasts, (past) => {
      const cluster = buyNumberCluster(past)
      assert.ok(buyNumberClusters.includes(cluster))
      assert.equal(cluster === 'prospects', past.orders === 0)
      for (const band of [purchaseCluster(past), audienceGroup(past)]) {
        assert.equal(band === null, past.orders === 0)
        assert.ok(band === null || purchaseBands.includes(band))
      }
      const marks = churnMarks(past)
      assert.ok(!(marks.anti_churn && marks.last_chance_churn))
    }),
  )
})

test('R-312 one more order today, and money spent, never lower a customer', () => {
  const ranks = ['prospects', 'occ-b-numb-1', 'occ-b-numb-2', 'occ-b-numb-3', 'occ-b-numb-4', 'wavering', 'recurring', 'frequent', 'loyal']
  fc.assert(
    fc.property(pasts, fc.nat(300_000), (past, amount) => {
      const next = {
        ...past,
        orders: past.orders + 1,
        ordersInYear: past.ordersInYear + 1,
        spentInYear: past.spentInYear + amount,
        lastOrderDays: 0,
      }
      assert.ok(ranks.indexOf(buyNumberCluster(next)) >= ranks.indexOf(buyNumberCluster(past)))
      assert.ok(customerValues.indexOf(customerValue(next)) <= customerValues.indexOf(customerValue(past)))
      assert.ok(loyaltyTiers.indexOf(loyaltyLevel(next)) <= loyaltyTiers.indexOf(loyaltyLevel(past)))
      assert.deepEqual(churnMarks(next), { anti_churn: false, last_chance_churn: false })
    }),
  )
})
