import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '#platform'
import { testDatabase } from '#platform/testing'
import { testReference } from '../listing/test-shop.ts'
import { forgetVatRules, vatRules } from './load-vat-rules.ts'
import { vatOf } from './vat.ts'

const { db } = await testDatabase({ upTo: 'pricing' })
let asked = 0
const counting: Db = { ...db, rows: (statement, values) => ((asked += 1), db.rows(statement, values)) }
const dead: Db = { ...db, rows: () => Promise.reject(new Error('gone')) }

test('rules are read at most once a minute; neither a failure nor a shop being seeded is cached', async (context) => {
  await assert.rejects(vatRules({ db: dead }), /gone/)
  assert.deepEqual(await vatRules({ db: counting }), [])
  await testReference(db)
  const rules = await vatRules({ db: counting })
  assert.equal(asked, 2)
  assert.equal(rules.length, 6)
  await Promise.all([1, 2, 3].map(() => vatRules({ db: counting })))
  assert.equal(asked, 2)
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 })
  await Promise.all([1, 2, 3].map(() => vatRules({ db: counting })))
  assert.equal(asked, 3)
  forgetVatRules()
  await vatRules({ db: counting })
  assert.equal(asked, 4)
})

test('R-712 R-685 a rule is a row: market, category, rate, flag, first and last day', async () => {
  forgetVatRules()
  await db.run({
    name: 'test.rule',
    text: `insert into pricing.vat_rule (market, category_id, rate_bp, flag, valid_from, valid_to)
      values ('fr', 12, 550, null, '2026-01-01', '2026-12-31')`,
  })
  const rules = await vatRules({ db })
  assert.deepEqual(
    rules.find(({ categoryId }) => categoryId === 12),
    { market: 'fr', categoryId: 12, rateBp: 550, flag: null, validFrom: '2026-01-01', validTo: '2026-12-31' },
  )
  const on = (day: string) => vatOf(rules, 'fr', [1, 12], new Date(`${day}T12:00:00Z`)).rateBp
  assert.deepEqual([on('2025-12-31'), on('2026-01-01'), on('2026-12-31'), on('2027-01-01')], [2_000, 550, 550, 2_000])
  assert.equal(vatOf(rules, 'de', [2, 2257], new Date('2026-11-21T12:00:00Z')).hasNoVATForDE, true)
})
