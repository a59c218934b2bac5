import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '#platform/testing'
import { removeMember } from '../../people/companies/change-members.ts'
import { companiesIn, fillShop, must, type Colleague } from '../checkout/testing.ts'
import { periodOf } from './hold-budget.ts'
import { spendingCsv } from './spending-csv.ts'
import { spendingGroups } from './spending-store.ts'
import { showSpending } from './show-spending.ts'

const database = await testDatabase()
const { pool } = database
await fillShop(database)
// Three departments, so that categories are rows of their own.
await pool.query(
  `insert into catalogue.category (id, parent_id, level, position, path, department, names, slugs)
   select id, null, 0, id, array[id], 'tools', jsonb_build_object('en', 'Department ' || id), jsonb_build_object('en', 'd-' || id) from generate_series(11, 13) id`,
)
const { newCompany, join } = companiesIn(database)

interface Charge {
  amount: number
  goods: readonly number[]
  returned?: number
  /** Refunded goods of each department. */
  back?: readonly number[]
  /** Without VAT; null in charges of earlier releases. */
  net?: number
  /** YYYY-MM-01; this month if omitted. */
  month?: string
}

async function companyThatSpent(charges: readonly Charge[]): Promise<Colleague> {
  const company = await newCompany()
  const admin = await join(company, 'admin')
  const { currency, month: now } = periodOf(admin.scope())
  for (const { amount, goods, returned = 0, back = [], month = now, net = null } of charges) {
    const [categories, returnedGoods] = [goods, back].map((all) => all.map((each, index) => ({ category: 11 + index, amount: each })))
    const ofOrder = [randomUUID(), company.id, admin.principal.id, currency, month, amount, returned]
    await pool.query(
      `insert into purchasing.spend (customer_order_id, company_id, customer_id, currency, month, amount, returned, categories, net, returned_goods)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [...ofOrder, JSON.stringify(categories), net, JSON.stringify(returnedGoods)],
    )
  }
  return admin
}
const reports = ({ scope }: Colleague, year: number | null = null) =>
  Promise.all(spendingGroups.map(async (by) => [by, await showSpending(scope(), by, year)] as const))

test('15.2 the total stands without VAT as well, after refunds in proportion, unless an order of the period has none', async () => {
  const admin = await companyThatSpent([
    { amount: 1200, net: 1000, goods: [] },
    { amount: 1200, net: 1000, returned: 600, goods: [] },
    { amount: 500, net: 500, returned: 500, goods: [] },
    { amount: 107, net: 100, goods: [], month: '2019-03-01' },
  ])
  for (const [by, report] of await reports(admin)) assert.deepEqual([report?.total.amount, report?.net?.amount], [1800, 1500], by)
  assert.equal((await showSpending(admin.scope(), 'member', 2019))?.net?.amount, 100)
  assert.equal((await showSpending(admin.scope(), 'member', 2018))?.net, null)
  const older = await companyThatSpent([
    { amount: 1200, net: 1000, goods: [] },
    { amount: 100, goods: [] },
  ])
  assert.deepEqual((await showSpending(older.scope(), 'member'))?.net, null)
})

test('the report by category adds up to the others, whatever rounding its shares of delivery and refunds take', async () => {
  const admin = await companyThatSpent(Array.from({ length: 5 }, () => ({ amount: 1000, goods: [300, 300, 300] })))
  for (const [by, report] of await reports(admin)) assert.equal(report?.total.amount, 5000, by)
  const rows = (await showSpending(admin.scope(), 'category'))?.rows.map(({ name, total }) => [name, total.amount])
  assert.deepEqual(rows, [
    ['Department 11', 1667],
    ['Department 12', 1667],
    ['Department 13', 1666],
  ])
  const charge = fc
    .record({
      amount: fc.integer({ min: 1, max: 3_000 }),
      goods: fc.array(fc.nat(1_000), { maxLength: 3 }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ amount, goods, part }) => ({
      amount,
      goods,
      returned: Math.floor(part * amount),
      back: goods.map((each, index) => (index % 2 ? each : Math.floor(part * each))),
    }))
  await fc.assert(
    fc.asyncProperty(fc.array(charge, { minLength: 1, maxLength: 6 }), async (charges) => {
      const whole = charges.reduce((sum, { amount, returned }) => sum + amount - returned, 0)
      for (const [by, report] of await reports(await companyThatSpent(charges))) {
        assert.equal(report?.total.amount, whole, by)
        const hundredths = report?.rows.reduce((sum, { share }) => sum + Math.round(share * 100), 0)
        assert.equal(hundredths, whole === 0 ? 0 : 100, `shares by ${by}`)
      }
    }),
    { numRuns: 15 },
  )
})

test('an order whose goods cost nothing has a row without a category', async () => {
  const admin = await companyThatSpent([
    { amount: 490, goods: [0] },
    { amount: 510, goods: [] },
    { amount: 2000, goods: [1500] },
  ])
  const rows = (await showSpending(admin.scope(), 'category'))?.rows.map(({ name, total }) => [name, total.amount])
  assert.deepEqual(rows, [
    ['Department 11', 2000],
    [null, 1000],
  ])
})

test('goods that were refunded are taken off their own category; delivery that remains alone is shared by all', async () => {
  const rowsOf = async (...charges: Charge[]) =>
    (await showSpending((await companyThatSpent(charges)).scope(), 'category'))?.rows.map(({ name, total }) => [name, total.amount])
  const order = { amount: 1090, goods: [500, 500] }
  assert.deepEqual(await rowsOf({ ...order, returned: 500, back: [500] }), [['Department 12', 590]])
  assert.deepEqual(await rowsOf({ ...order, returned: 250, back: [250, 0] }), [
    ['Department 12', 560],
    ['Department 11', 280],
  ])
  assert.deepEqual(
    await rowsOf({ ...order, returned: 90 }),
    [
      ['Department 11', 500],
      ['Department 12', 500],
    ],
    'delivery alone',
  )
  assert.deepEqual(await rowsOf({ ...order, returned: 1000, back: [500, 500] }), [
    ['Department 11', 45],
    ['Department 12', 45],
  ])
})

test('the shares of three equal sites are whole hundredths that add up to one', async () => {
  const admin = await companyThatSpent([{ amount: 300, goods: [100, 100, 100] }])
  assert.deepEqual(
    (await showSpending(admin.scope(), 'category'))?.rows.map(({ share }) => share),
    [0.34, 0.33, 0.33],
  )
})

test('a calendar year has its own report, also as CSV with a line of sums; years are offered from the first order on', async () => {
  const year = Number(periodOf(database.scope({ market: 'gb' })).month.slice(0, 4))
  const admin = await companyThatSpent([
    { amount: 100, goods: [100], month: `${year - 2}-01-01` },
    { amount: 200, goods: [200], month: `${year - 2}-12-01` },
    { amount: 400, goods: [400], month: `${year - 1}-01-01` },
  ])
  for (const [by, report] of await reports(admin, year - 2)) {
    assert.deepEqual([report?.total.amount, report?.monthTotals.map(({ amount }) => amount)], [300, [100, ...Array(10).fill(0), 200]], by)
    assert.deepEqual(report?.years, [year, year - 1, year - 2])
    assert.deepEqual([report?.months[0], report?.months.at(-1)], [`${year - 2}-01-01`, `${year - 2}-12-01`])
  }
  assert.equal((await showSpending(admin.scope(), 'member', year + 1))?.rows.length, 0)
  for (const wrong of [0, 99, -1, 275_761]) assert.equal(await showSpending(admin.scope(), 'member', wrong), null)
  const lines = (await spendingCsv(admin.scope(), 'member', year - 2)).trimEnd().split('\r\n')
  const amounts = ['1.00', ...Array(10).fill('0.00'), '2.00', '3.00'].join()
  assert.deepEqual(lines.slice(1), [`Ann Lee,${amounts}`, `Total,${amounts}`])
})

test('former members keep their names in the report and its CSV; those whose account is closed have one row together', async () => {
  const company = await newCompany()
  const admin = await join(company, 'admin')
  const { currency, month } = periodOf(admin.scope())
  for (const [index, name] of ['Ben Moss', 'Cleo Hart', 'Dan Roe', 'Eve Pike'].entries()) {
    const { principal } = await join(company, 'buyer')
    await pool.query(`update accounts.customer set name = $2 where id = $1`, [principal.id, name])
    await pool.query(
      `insert into purchasing.spend (customer_order_id, company_id, customer_id, currency, month, amount, categories) values ($1, $2, $3, $4, $5, $6, '[]')`,
      [randomUUID(), company.id, principal.id, currency, month, 1000 - 100 * index],
    )
    must(await admin.does((scope) => removeMember(scope, principal.id)))
    if (index > 1) await pool.query(`update accounts.customer set closed_at = now() where id = $1`, [principal.id])
  }
  const names = [
    ['Former members', 1500],
    ['Ben Moss', 1000],
    ['Cleo Hart', 900],
  ]
  const report = await showSpending(admin.scope(), 'member')
  assert.deepEqual(
    report?.rows.map(({ name, total }) => [name, total.amount]),
    names,
  )
  const lines = (await spendingCsv(admin.scope(), 'member', null)).split('\r\n').slice(1, 4)
  assert.deepEqual(
    lines.map((line) => line.split(',')[0]),
    names.map(([name]) => name),
  )
})
