import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { dbOn, newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { countListsOfCompany, readRules, writeGroup, writeGroupCompanies, writeList, writeListEnd } from './store.ts'

const { pool } = await testDatabase()
const client = await pool.connect()
after(() => client.release(true))
const db = dbOn(client)

const [companyId, groupId] = [newId(), newId()]
const now = new Date()
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000)
const asked = { companyId, market: 'gb', now, offers: [{ sellerId: 1, productId: '41' }], categoryIds: [10] } as const

async function give(price: number, validTo: Date | null, holder: 'company' | 'group' = 'company'): Promise<string> {
  const id = newId()
  await writeList(db, 1, {
    id,
    market: 'gb',
    name: 'List',
    validFrom: inDays(-2),
    validTo,
    companies: holder === 'company' ? [companyId] : [],
    groups: holder === 'group' ? [groupId] : [],
    rules: [{ productId: '41', categoryId: null, percentBp: null, price }],
  })
  return id
}

/** Pages that a statement reads which this connection has prepared. */
async function pagesRead(statement: string, values: string): Promise<number> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `explain (analyze, buffers, format json) execute "${statement}"(${values})`,
  )
  const { 'Shared Hit Blocks': hit = NaN, 'Shared Read Blocks': read = NaN } = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
  return hit + read
}

test('V-01 V-11 a company’s pages and its sellers’ lists cost the same after thousands of its lists have ended', async () => {
  await writeGroup(db, { id: groupId, sellerId: 1, name: 'Everybody' })
  await writeGroupCompanies(db, groupId, [companyId])
  await give(900, null)
  await give(800, inDays(30), 'group')
  await client.query('begin')
  for (let n = 0; n < 1000; n++) {
    for (const holder of ['company', 'group'] as const) {
      await give(1, inDays(-1), holder)
      await writeListEnd(db, await give(1, null, holder), 1, inDays(-1))
    }
  }
  await client.query('commit')
  await pool.query('vacuum analyze conditions.price_list, conditions.price_list_holder, conditions.price_rule')
  assert.deepEqual((await readRules(db, asked)).map(({ price }) => price).toSorted(), [800, 900])
  assert.equal(await countListsOfCompany(db, 1, { companies: [companyId], market: 'gb', now }), 2)
  const at = now.toISOString()
  const ofRules = await pagesRead('conditions.rules-for-offers', `'${companyId}', 'gb', '${at}', '{1}', '{41}', '{10}'`)
  assert.ok(ofRules < 40, `${ofRules} pages`)
  const ofCount = await pagesRead('conditions.most-lists-of-a-company', `1, '{${companyId}}', '{}', null, 'gb', '${at}'`)
  assert.ok(ofCount < 40, `${ofCount} pages`)
})

test('holders from before the upgrade learn when their lists end; lists without an end keep theirs', async () => {
  const ends = async () => (await pool.query('select list_id, ends_at::text from conditions.price_list_holder order by list_id')).rows
  const written = await ends()
  await pool.query(`update conditions.price_list_holder set ends_at = 'infinity'`)
  const { rows } = await pool.query(await readFile(new URL('202611292027-list-ends.backfill.sql', import.meta.url), 'utf8'), [null, 9999])
  assert.equal(rows.length, written.length)
  assert.deepEqual(await ends(), written)
})
