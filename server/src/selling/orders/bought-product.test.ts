import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { neededAgainAt } from './bought-product.ts'

const { pool } = await testDatabase({ upTo: 'accounts' })
const now = new Date('2026-11-23T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

async function neededAt(times: number, [first, last]: [number, number], [pieces, latest]: [number, number]): Promise<Date | null> {
  const { rows } = await pool.query<{ at: Date | null }>(
    `select ${neededAgainAt('$1::timestamptz')} as at
      from (values ($2::int, $3::timestamptz, $4::timestamptz, $5::int, $6::int)) bought (times, first_at, last_at, pieces, latest)`,
    [now, times, daysAgo(first), daysAgo(last), pieces, latest],
  )
  return rows[0]?.at ?? null
}

for (const [times, first, last, inDays, why] of [
  [1, 30, 30, null, 'one order shows no rhythm'],
  [2, 60, 30, null, 'neither do two'],
  [3, 60, 0, 30, 'three orders a month apart: the next in a month'],
  [5, 44, 4, 6, 'every ten days, the last four days ago'],
  [3, 50, 10, 10, 'not due yet'],
  [3, 75, 25, 0, 'due today'],
  [4, 95, 35, -15, 'overdue by less than one rhythm'],
  [4, 161, 101, null, 'skipped for so long that it is no longer needed'],
  [3, 6, 0, 3, 'orders three days apart repeat one another'],
  [3, 5, 0, null, 'orders closer together than that complete one another'],
] as const)
  test(`a product is needed again after the average time between its orders: ${why}`, async () => {
    assert.deepEqual(await neededAt(times, [first, last], [times * 4, 4]), inDays === null ? null : daysAgo(-inDays))
  })

for (const [pieces, latest, inDays, why] of [
  [30, 10, 5, 'as much as before lasts as long as before'],
  [40, 20, 30, 'twice as much lasts twice as long'],
  [25, 5, -7.5, 'half as much lasts half as long, so that it is due sooner'],
  [220, 200, 480, 'a stock for more than a year is not needed for more than a year'],
] as const)
  test(`the latest quantity counts against those before it: ${why}`, async () => {
    // Every 25 days, the last time 20 days ago.
    assert.deepEqual(await neededAt(3, [70, 20], [pieces, latest]), daysAgo(-inDays))
  })

test('a small order after large ones is still due until a usual rhythm has passed, not just its own', async () => {
  assert.deepEqual(await neededAt(3, [70, 20], [21, 1]), daysAgo(17.5))
  assert.equal(await neededAt(3, [100, 50], [21, 1]), null)
})
