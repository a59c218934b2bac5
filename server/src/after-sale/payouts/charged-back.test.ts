import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { testOperator } from '@purlin/contract/testing.ts'
import { connectObjectStore, folderStore } from '#files'
import { balanceOf } from '#ledger'
import { testDatabase } from '#platform/testing'
import { runWork } from '../../edges/worker/testing.ts'
import { fillShop } from '../../selling/checkout/testing.ts'
import { receiveChargeback } from '../../selling/payments/receive-chargeback.ts'
import { bearChargeback, listChargebacks } from '../../selling/refunds/bear-chargeback.ts'
import * as refundJobs from '../../selling/refunds/jobs.ts'
import * as payoutJobs from './jobs.ts'
import { startRun } from './run-payouts.ts'
import { payable, type SoldOrder } from './testing.ts'

connectObjectStore(folderStore(await mkdtemp(join(tmpdir(), 'charged-back-'))))
const database = await testDatabase()
await fillShop(database)
const work = () => runWork(database, [...payoutJobs.handlers, ...refundJobs.handlers], payoutJobs.jobs)
let runs = 0
async function run(): Promise<number> {
  runs += 1
  const now = new Date(Date.now() + 60 * 86_400_000)
  await database.command({ now }, (scope) => startRun(scope, { key: `operator:GBP:${runs}`, currency: 'GBP', cause: 'operator' }))
  await work()
  return balanceOf(database.db, 'payable:1', 'GBP')
}
async function report({ paymentId, customerOrderId }: SoldOrder, state: 'open' | 'won' | 'lost'): Promise<void> {
  const { rows } = await database.pool.query<{ reference: string }>(
    'select provider_reference as reference from payments.payment where id = $1',
    [paymentId],
  )
  const about = { id: 'evt', type: 'dispute', chargebackReference: `dp_${customerOrderId}`, reference: rows[0]?.reference ?? '', state }
  await database.command({}, (scope) =>
    receiveChargeback(scope, 'embedded', { ...about, amount: 10_000, currency: 'GBP', reason: 'fraudulent' }),
  )
  await work()
}
/** 100.00 less 12 % commission and the VAT on it. */
const earned = 10_000 - 1_200 - 240

test('the money of an order whose payment a bank takes back is not paid out to its seller until the bank has decided for the shop', async () => {
  const order = await payable(database)
  await report(order, 'open')
  assert.equal(await run(), 0)
  await report(order, 'won')
  assert.equal(await run(), -earned)
})

test('after a lost chargeback it is not paid out until somebody bears the loss', async () => {
  const before = await run()
  const [first, second] = [await payable(database), await payable(database)]
  for (const order of [first, second]) await report(order, 'lost')
  assert.equal(await run(), before)
  const operator = { principal: testOperator({ roles: [{ role: 'support', market: null }] }) }
  const all = await listChargebacks(database.scope(operator))
  const bear = (order: SoldOrder, sellerOrderId: string | null) =>
    database.command(operator, async (scope) => {
      const { id = '' } = all.find(({ customerOrderId }) => customerOrderId === order.customerOrderId) ?? {}
      return { ok: (await bearChargeback(scope, id, sellerOrderId)) || assert.fail() }
    })
  await bear(first, first.sellerOrderId)
  assert.equal(await run(), before, 'the seller has given it back')
  await bear(second, null)
  assert.equal(await run(), before - earned)
})
