import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connectObjectStore, folderStore } from '@purlin/server/foundation/files/index.ts'
import { takeQuota } from '@purlin/server/foundation/platform/index.ts'
import { limitsOf, quotas, type QuotaName } from '@purlin/server/foundation/platform/quota-limits.ts'
import { useSettings } from '@purlin/server/foundation/platform/testing.ts'
import { creditOfTests } from '@purlin/server/selling/credit/testing.ts'
import { usePointFinder } from '@purlin/server/selling/pickup/finder-of-shop.ts'
import type { QuotaRow } from './quota-row.ts'
import { quotaRows } from './quota-rows.ts'
import { shopWithVisitors } from './visitors.ts'

/** Each quota of the table is used up by requests, and then refuses: a quota that nothing takes, or without a row here, is a failed test. */

const operatorKey = 'an-operator-key-of-thirty-two-bytes'
const shop = await shopWithVisitors({ trustProxy: '127.0.0.1' })
useSettings({ ...shop.provider.settings, OPERATOR_API_KEY: operatorKey })
after(() => shop.close())
const files = await mkdtemp(join(tmpdir(), 'purlin-files-'))
connectObjectStore(folderStore(files))
after(() => rm(files, { recursive: true, force: true }))
creditOfTests(shop.database)
before(() =>
  usePointFinder({
    find: () => Promise.reject(new Error('not asked')),
    near: () => Promise.resolve({ points: [], centre: { latitude: 53.4, longitude: -2.2 } }),
  }),
)
after(() => usePointFinder())

const rows: Partial<Record<string, Partial<Record<string, QuotaRow>>>> = quotaRows(shop, operatorKey)
const limits = (Object.keys(quotas) as QuotaName[]).flatMap((name) => limitsOf(name).map((each) => ({ name, ...each })))

test('V-11 the rows are those of the table of quotas, subject by subject', () => {
  const named = Object.entries(rows).flatMap(([name, each = {}]) => Object.keys(each).map((subject) => `${name} ${subject}`))
  assert.deepEqual(named.toSorted(), limits.map(({ name, by }) => `${name} ${by}`).toSorted())
})

for (const { name, by, limit } of limits)
  test(`V-11 ${name}: a request beyond what one ${by} may send is refused, and that of another ${by} is served`, async () => {
    const row = rows[name]?.[by] ?? assert.fail('say in quota-rows.ts how it is used up')
    const [greedy, other] = [await row.newSender(), await row.newSender()]
    assert.equal(await greedy.send(), 'served')
    // The request itself has to count as the last one.
    await takeQuota(name, { [by]: greedy.counted }, limit.units - 1)
    assert.equal(await greedy.send(), row.refusal)
    assert.equal(await other.send(), 'served')
  })
