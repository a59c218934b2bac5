import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as payoutJobs from '@purlin/server/after-sale/payouts/jobs.ts'
import { startRun } from '@purlin/server/after-sale/payouts/run-payouts.ts'
import { setBank, soldMany } from '@purlin/server/after-sale/payouts/testing.ts'
import { runWork } from '@purlin/server/edges/worker/testing.ts'
import { workOnce } from '@purlin/server/edges/worker/worker.ts'
import { connectObjectStore, folderStore } from '@purlin/server/foundation/files/index.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { fillShop } from '@purlin/server/selling/checkout/testing.ts'
import { figure, type Figure } from './figures.ts'

const sellerIds = [301, 302, 303, 304]
const bank = { holder: 'Werkhof GmbH', iban: 'DE89370400440532013000' }
/** Orders written by one statement. */
const batch = 5_000
const megabyte = 2 ** 20

setFlagsFromString('--expose-gc')
/** Garbage is not what a run holds. */
const collect = runInNewContext('gc') as () => void

/**
 * A payout run over many orders of four sellers, interrupted half-way and resumed by another worker: its pace, the memory it
 * takes at its end against its beginning, and whether every order was settled once.
 */
export async function benchPayouts(orders: number): Promise<Figure[]> {
  const database = await testDatabase()
  const { pool } = database
  connectObjectStore(folderStore(mkdtempSync(join(tmpdir(), 'bench-payouts-'))))
  await fillShop(database)
  const each = Math.ceil(orders / sellerIds.length)
  for (const sellerId of sellerIds) {
    for (let offset = 0; offset < each; offset += batch)
      await soldMany(database, { sellerId, market: 'de', orders: Math.min(batch, each - offset), offset })
    await setBank(database, sellerId, 'EUR', bank)
  }
  await pool.query('analyze payouts.sale; analyze ledger.booking; analyze ledger.entry')
  await database.command({}, (scope) => startRun(scope, { key: 'operator:EUR:bench', currency: 'EUR', cause: 'operator' }))
  const settled = async () => (await pool.query<{ n: number }>('select count(*)::int as n from payouts.line')).rows[0]?.n ?? 0
  const run = { handlers: [], jobs: payoutJobs.jobs.filter(({ name }) => name === 'payouts.run') }

  const heap = { first: 0, most: 0 }
  let isOver = false
  const watch = (async () => {
    for (; !isOver; await sleep(250)) {
      collect()
      const { heapUsed } = process.memoryUsage()
      heap.first ||= heapUsed
      heap.most = Math.max(heap.most, heapUsed)
    }
  })()
  const began = performance.now()
  const stopping = new AbortController()
  const half = workOnce(pool, run, 'first', stopping.signal)
  while ((await settled()) < orders / 2) await sleep(100)
  stopping.abort()
  await half
  const resumedAt = await settled()
  await pool.query(`update platform.job set locked_until = null, run_at = least(run_at, now()) where name = 'payouts.run'`)
  await runWork(database, run.handlers, run.jobs)
  const seconds = (performance.now() - began) / 1000
  isOver = true
  await watch

  const { rows } = await pool.query<{ lines: number; orders: number; paid: number; left: number }>(
    `select count(*)::int as lines, count(distinct seller_order_id)::int as orders, (select sum(amount)::float8 from payouts.payout) as paid,
        (select count(*)::int from payouts.sale where is_open) as left from payouts.line`,
  )
  const [done] = rows
  if (!done || done.lines !== each * sellerIds.length || done.orders !== done.lines || done.left !== 0)
    throw new Error(`The run settled ${JSON.stringify(done)}, not ${each * sellerIds.length} orders once each`)
  if (done.paid !== done.lines * (10_000 - 1_200 - 240)) throw new Error(`${done.paid} was paid for ${done.lines} orders`)
  return [
    figure('payout run: orders settled, each once', done.lines, 'orders'),
    figure('payout run: stopped and resumed after', resumedAt, 'orders'),
    figure('payout run: orders per second', done.lines / seconds, '/s'),
    figure('payout run: heap grown by at most', (heap.most - heap.first) / megabyte, 'MB', '<= 64'),
  ]
}
