import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectObjectStore, folderStore } from '#files'
import { requestRefund } from '#refunds'
import { testDatabase } from '#platform/testing'
import { runWork } from '../../edges/worker/testing.ts'
import { addOffer, fillShop } from '../../selling/checkout/testing.ts'
import { handlers, jobs, schedules } from './jobs.ts'
import { paidOrder, sendAll } from './testing.ts'

const database = await testDatabase()
const { pool } = database
await fillShop(database)
await addOffer(database, { id: '100', sellerId: 1, price: 1299 })
connectObjectStore(folderStore(await mkdtemp(join(tmpdir(), 'commissions-'))))
const work = () => runWork(database, handlers, jobs)

async function runAt(day: string) {
  for (const { name, run } of schedules)
    if (name === 'invoices.commissions') await database.command({ now: new Date(`${day}T06:00:00Z`) }, run)
  const { rows } = await pool.query<{ source: string; net: number }>(
    `select source, net from invoices.invoice where kind in ('commission', 'commission-credit') order by source`,
  )
  return rows
}

/** Sold on a day, as if its invoice had been issued then; and refunded on another. */
async function soldOn(day: string, refundedOn?: string): Promise<void> {
  const { orderId } = await paidOrder(database, [{ offerId: '100', quantity: 3 }])
  await sendAll(database, orderId)
  if (refundedOn)
    await database.command({}, async (scope) => {
      const units = [{ offerId: '100', quantity: 3 }]
      const ids = { customerOrderId: orderId, sellerOrderId: `${orderId}-1` }
      return { ok: (await requestRefund(scope, { ...ids, cause: 'return', key: orderId, units })) !== undefined }
    })
  await work()
  for (const [kind, on] of [
    ['sale', day],
    ['credit-note', refundedOn ?? day],
  ])
    await pool.query(
      `update invoices.invoice set issued_at = $1::timestamptz, document = jsonb_set(document, '{issuedOn}', to_jsonb($2::text))
        where kind = $3 and customer_order_id = $4`,
      [`${on}T12:00:00Z`, on, kind, orderId],
    )
}

test('a month that came to nothing is neither invoiced nor credited, however much later', async () => {
  await soldOn('2026-01-01', '2026-01-20')
  for (const day of ['2026-02-01', '2026-02-02', '2026-03-05', '2026-03-12', '2026-03-20', '2026-04-10'])
    assert.deepEqual(await runAt(day), [])
})

test('months missed in a long outage are invoiced whole, each once', async () => {
  await soldOn('2026-04-02')
  await soldOn('2026-04-29')
  await soldOn('2026-05-15')
  const { rows } = await pool.query<{ commission: number }>(
    `select sum(commission)::int as commission from invoices.invoice where kind = 'sale' and issued_at > '2026-04-01' group by document ->> 'issuedOn'`,
  )
  const each = rows[0]?.commission ?? assert.fail()
  const invoiced = [
    { source: 'commission:2026-04:gb:1:gb:2000', net: 2 * each },
    { source: 'commission:2026-05:gb:1:gb:2000', net: each },
  ]
  assert.deepEqual(await runAt('2026-10-01'), invoiced)
  for (const day of ['2026-10-02', '2026-10-03', '2027-01-10']) assert.deepEqual(await runAt(day), invoiced)
  const closed = await pool.query(`select 1 from invoices.commission_month where month in ('2026-04', '2026-05', '2026-09')`)
  assert.equal(closed.rowCount, 3)
})

test('a month is closed once it has been over for a day', async () => {
  const isClosed = async () => (await pool.query(`select 1 from invoices.commission_month where month = '2027-01'`)).rowCount === 1
  await runAt('2027-02-01')
  assert.equal(await isClosed(), false)
  await runAt('2027-02-02')
  assert.equal(await isClosed(), true)
})
