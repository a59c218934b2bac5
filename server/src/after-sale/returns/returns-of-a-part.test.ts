import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { dbOn } from '#platform'
import { testDatabase } from '#platform/testing'
import { readFollowing, readReturning, readSentBack } from './return-store.ts'

const { pool } = await testDatabase()
const client = await pool.connect()
after(() => client.release(true))
const db = dbOn(client)

const lots = 20_000
await pool.query(`insert into returns.request (id, number, customer_order_id, seller_order_id, seller_id, market, reason, basis, wish, method, state, lines, token_hash, replacement_order)
  select gen_random_uuid(), n, 'P' || n, 'P' || n || '-1', 1, 'gb', 'changed-mind', 'withdrawal', 'refund', 'label', case n % 2 when 0 then 'in-transit' else 'closed' end,
    '[]', int4send(n), case n % 2 when 1 then 'R' || n end from generate_series(1, ${lots}) n`)
await pool.query(`insert into returns.step (id, request_id, from_state, to_state, actor)
  select gen_random_uuid(), id, 'inspected', 'refused', 'seller' from returns.request where state = 'closed'`)
await pool.query('vacuum analyze returns.request, returns.step')

/** Pages that a statement reads which this connection has prepared. */
async function pagesRead(statement: string): Promise<number> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `explain (analyze, buffers, format json) execute "${statement}"('{P20-1,P21-1}')`,
  )
  const { 'Shared Hit Blocks': hit = NaN, 'Shared Read Blocks': read = NaN } = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
  return hit + read
}

test('the returns of a seller’s part are found without reading those of all others', async () => {
  const parts = ['P20-1', 'P21-1']
  assert.deepEqual(await readReturning(db, parts), ['P20-1'])
  assert.deepEqual(await readSentBack(db, parts), [{ sellerOrderId: 'P21-1', by: 'R21' }])
  assert.deepEqual(await readFollowing(db, parts), [{ paid: 'P21-1', id: 'R21-1' }])
  for (const statement of ['returns.returning', 'returns.sent-back', 'returns.following']) {
    const pages = await pagesRead(statement)
    assert.ok(pages < 40, `${statement}: ${pages} pages`)
  }
})
