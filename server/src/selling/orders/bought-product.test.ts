import assert from 'node:assert/strict'
import { test } from 'node:test'
import { neededAgainAt } from './bought-product.ts'

const now = new Date('2026-11-23T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

for (const [times, first, last, inDays, why] of [
  [1, 30, 30, null, 'one order shows no rhythm'],
  [2, 60, 30, null, 'neither do two'],
  [3, 60, 0, 30, 'three orders a month apart: the next in a month'],
  [5, 44, 4, 6, 'every ten days, the last four days ago'],
  [3, 50, 10, 10, 'not due yet'],
  [3, 75, 25, 0, 'due today'],
  [4, 95, 35, -15, 'overdue by less than one rhythm'],
  [4, 161, 101, null, 'skipped for so long that it is no longer needed'],
  [3, 4, 0, null, 'orders two days apart complete one another'],
] as const)
  test(`a product is needed again after the average time between its orders: ${why}`, () => {
    const next = neededAgainAt({ times, firstBoughtAt: daysAgo(first), lastBoughtAt: daysAgo(last) }, now)
    assert.deepEqual(next, inDays === null ? null : daysAgo(-inDays))
  })
