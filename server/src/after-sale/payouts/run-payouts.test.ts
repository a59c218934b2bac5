import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { connectObjectStore, folderStore } from '#files'
import { accountBalances, balanceOf, unbalancedBookings } from '#ledger'
import { requestRefund } from '#refunds'
import { findJob } from '#platform'
import { testDatabase } from '#platform/testing'
import { runWork } from '../../edges/worker/testing.ts'
import { fillShop } from '../../selling/checkout/testing.ts'
import * as payoutJobs from './jobs.ts'
import { readPayout } from './payout-store.ts'
import { startRun } from './run-payouts.ts'
import { applyNews } from './send-payout.ts'
import { payable, setBank, soldMany, type SoldOrder } from './testing.ts'

const folder = await mkdtemp(join(tmpdir(), 'payout-runs-'))
connectObjectStore(folderStore(folder))
const database = await testDatabase()
const { db, pool, connectionString } = database
await fillShop(database)
const schedule = payoutJobs.handlers.filter(({ name }) => name === 'payouts.schedule')
const work = () =>
  runWork(
    database,
    schedule,
    payoutJobs.jobs.filter(({ name }) => name === 'payouts.run'),
  )
let runs = 0
const start = () =>
  database.command({}, (scope) => startRun(scope, { key: `operator:EUR:model-${runs++}`, currency: 'EUR', cause: 'operator' }))
const refund = (order: SoldOrder, amount: number, key: string) =>
  database.command({}, async (scope) => {
    const id = await requestRefund(scope, { ...order, cause: 'goodwill', key, extra: { offerId: null, amount } })
    return { ok: id !== undefined }
  })
const bank = { holder: 'Werkhof GmbH', iban: 'DE89370400440532013000' }

async function checkLedger(): Promise<void> {
  assert.deepEqual(await unbalancedBookings(db), [])
  assert.equal(
    (await accountBalances(db)).reduce((all, { balance }) => all + BigInt(balance), 0n),
    0n,
  )
}
/** What each order has earned, and what was settled of it. */
async function settledOf(sellerId: number) {
  const { rows } = await pool.query<{ id: string; earned: number; settled: number }>(
    `select b.customer_order_id as id, -sum(e.amount) filter (where b.kind <> 'settlement')::int as earned,
       coalesce(sum(e.amount) filter (where b.kind = 'settlement'), 0)::int as settled
     from ledger.booking b join ledger.entry e on e.booking_id = b.id where e.account = $1 group by 1`,
    [`seller:${sellerId}`],
  )
  return rows
}

test('a run that is killed twice settles every order once and pays the whole sum in one payout', async () => {
  const orders = 1_500
  await soldMany(database, { sellerId: 31, market: 'de', orders })
  await setBank(database, 31, 'EUR', bank)
  const run = await start()
  const settled = async () =>
    (await pool.query<{ n: number }>('select count(*)::int as n from payouts.line where seller_id = 31')).rows[0]?.n ?? 0
  const until = async (holds: () => Promise<boolean>) => {
    for (const end = Date.now() + 120_000; !(await holds()); await sleep(10)) assert.ok(Date.now() < end, 'the run does not get on')
  }
  for (const enough of [200, 800]) {
    const child = fork(join(import.meta.dirname, 'run-testing.ts'), [connectionString, folder], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    await until(async () => (await settled()) >= enough)
    child.kill('SIGKILL')
    await once(child, 'exit')
    // A killed worker's lease expires; the next one takes the job over.
    await pool.query(`update platform.job set locked_until = now() where name = 'payouts.run'`)
  }
  const last = fork(join(import.meta.dirname, 'run-testing.ts'), [connectionString, folder], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await until(async () => (await findJob(db, 'payouts.run', run?.id ?? ''))?.state === 'finished')
  last.kill('SIGKILL')
  assert.equal(await settled(), orders)
  const { rows } = await pool.query(`select amount::int, state from payouts.payout where seller_id = 31`)
  assert.deepEqual(rows, [{ amount: orders * (10_000 - 1_200 - 240), state: 'sent' }])
  assert.equal(await balanceOf(db, 'seller:31', 'EUR'), 0)
  await checkLedger()
})

test('a refund and a run at the same moment: the refund is part of the payout or deducted from the next one, never half', async () => {
  for (let round = 0; round < 8; round++) {
    const sellerId = 40 + round
    const order = await payable(database, { sellerId, market: 'de' })
    await setBank(database, sellerId, 'EUR', bank)
    await start()
    await Promise.all([work(), refund(order, 2_500, `interleaved-${round}`)])
    await work()
    await start()
    await work()
    const earned = 8_560 - 8_560 / 4
    const { rows } = await pool.query<{ amount: number; closing: number }>(
      'select amount::int, closing::int from payouts.payout where seller_id = $1 order by number',
      [sellerId],
    )
    const paid = rows.reduce((all, { amount }) => all + amount, 0)
    assert.equal(paid + (rows.at(-1)?.closing ?? 0), earned, JSON.stringify(rows))
  }
  await checkLedger()
})

type Step =
  | { does: 'sell' }
  | { does: 'run' }
  | { does: 'refund'; which: number; amount: number }
  | { does: 'dispute' | 'settle'; which: number }
  | { does: 'paid' | 'failed' | 'returned'; which: number }
const index = fc.nat(5)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Step>({ does: 'sell' }, { does: 'run' }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('refund' as const), which: index, amount: fc.integer({ min: 1, max: 12_000 }) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('dispute' as const, 'settle' as const), which: index }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('paid' as const, 'failed' as const, 'returned' as const), which: index }) },
)

test('any sequence of sales, refunds, disputes, runs, arrivals and failures: accounts sum to zero, no order is paid twice or beyond what it earned', async () => {
  let sellerId = 1_000
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      sellerId += 1
      await setBank(database, sellerId, 'EUR', bank)
      const orders: SoldOrder[] = []
      for (const [at, each] of steps.entries()) await play(each, orders, sellerId, `${sellerId}-${at}`)
      await pool.query('update disputes.dispute set ended_at = now() where seller_id = $1', [sellerId])
      await start()
      await work()
      for (const { earned, settled } of await settledOf(sellerId)) assert.equal(settled, earned)
      const total = (await settledOf(sellerId)).reduce((all, { earned }) => all + earned, 0)
      const { rows } = await pool.query<{ paid: number }>(
        `select coalesce(sum(amount), 0)::int as paid from payouts.payout where seller_id = $1 and state not in ('failed', 'returned')`,
        [sellerId],
      )
      assert.equal((rows[0]?.paid ?? 0) - (await balanceOf(db, `payable:${sellerId}`, 'EUR')), total)
    }),
    { numRuns: 25 },
  )
  await checkLedger()
})

async function play(each: Step, orders: SoldOrder[], sellerId: number, key: string): Promise<void> {
  if (each.does === 'sell') return void orders.push(await payable(database, { sellerId, market: 'de' }))
  if (each.does === 'run') {
    await start()
    await work()
    // Nothing has been paid that was not earned at this moment.
    for (const { earned, settled } of await settledOf(sellerId)) assert.ok(settled === 0 || settled === earned, `${settled} of ${earned}`)
    return
  }
  const order = 'which' in each ? orders[each.which] : undefined
  if (each.does === 'refund') {
    if (order) await refund(order, each.amount, key)
    return void (await work())
  }
  if (each.does === 'dispute' || each.does === 'settle') {
    if (!order) return
    await pool.query(
      each.does === 'settle'
        ? `update disputes.dispute set ended_at = now() where seller_order_id = $1`
        : `insert into disputes.dispute (id, number, message_id, seller_order_id, customer_order_id, seller_id, market, reason, wish, state, wanted, opened_at)
           select gen_random_uuid(), (select count(*) from disputes.dispute) + 1, gen_random_uuid(), $1, left($1, -2), ${sellerId}, 'de', 'damaged', 'refund', 'open', 100, now()
           on conflict do nothing`,
      [order.sellerOrderId],
    )
    return
  }
  const { rows } = await pool.query<{ id: string }>(
    'select id from payouts.payout where seller_id = $1 order by number offset $2 limit 1',
    [sellerId, each.which],
  )
  const payout = rows[0] && (await readPayout(db, rows[0].id))
  const { does: status } = each
  if (payout)
    await database.command({}, async (scope) => ({ ok: await applyNews(scope, payout.id, { status, reference: null, failureCode: null }) }))
}
