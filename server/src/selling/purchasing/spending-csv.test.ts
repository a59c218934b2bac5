import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { download } from '../../after-sale/invoices/testing.ts'
import { companiesIn, fillShop } from '../checkout/testing.ts'
import { periodOf } from './hold-budget.ts'

const database = await testDatabase()
const { pool } = database
await fillShop(database)
const gateway = await testGateway(pool)
const { newCompany, join } = companiesIn(database)

/** A company whose names are all formulas, and which has spent 12.34 under each of them. */
async function companyOfFormulas(market: 'gb' | 'de'): Promise<string> {
  const company = await newCompany()
  const admin = await join(company, 'admin')
  const [site, centre] = [randomUUID(), randomUUID()]
  await pool.query(`update accounts.customer set name = '=1+1' where id = $1`, [admin.principal.id])
  await pool.query(`insert into companies.site (id, company_id, name, address) values ($1, $2, '+1', '{}')`, [site, company.id])
  await pool.query(`insert into companies.cost_centre (id, company_id, code, name) values ($1, $2, '@x', 'a;b,c')`, [centre, company.id])
  await database.command({ market }, async (scope) => {
    const { currency, month } = periodOf(scope)
    await pool.query(
      `insert into purchasing.spend (customer_order_id, company_id, customer_id, site_id, cost_centre_id, currency, month, amount)
       values ($1, $2, $3, $4, $5, $6, $7, 1234)`,
      [randomUUID(), company.id, admin.principal.id, site, centre, currency, month],
    )
  })
  return admin.cookie
}

const cases = [
  ['gb', ',', '0.00', '12.34'],
  ['de', ';', '"0,00"', '"12,34"'],
] as const
for (const [market, between, nothing, amount] of cases)
  test(`A56 a site, a cost centre and a member whose names are formulas are text in the spending report of ${market}`, async () => {
    const cookie = await companyOfFormulas(market)
    for (const [by, name] of [
      ['site', "'+1"],
      ['cost-centre', `"'@x · a;b,c"`],
      ['member', "'=1+1"],
    ]) {
      const path = `/api/v1/company/spending.csv?by=${by}`
      const { status, body } = await download(gateway.url, path, cookie, `pro.${market}.localhost`)
      const [head = '', ...lines] = body.toString().split('\r\n')
      const cells = [name, ...Array.from({ length: 11 }, () => nothing), amount, amount]
      const sum = [market === 'de' ? 'Summe' : 'Total', ...cells.slice(1)]
      assert.deepEqual([status, lines], [200, [cells.join(between), sum.join(between), '']])
      assert.equal(head.split(between).length, cells.length)
    }
  })
