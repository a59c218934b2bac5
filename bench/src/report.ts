import autocannon from 'autocannon'
import { ask } from '@purlin/e2e/support/ask.ts'
import { createPool, type Pool } from '@purlin/server/foundation/platform/index.ts'
import { figure, type Figure } from './figures.ts'
import { goodsOf } from './goods.ts'
import { quantile } from './order-cost.ts'
import { addDocument, asked } from './questions.ts'

/** Pages are requested at a rate the shop handles easily: this measures waiting, not the limit. */
const pagesPerSecond = 40
const seconds = 6
const rounds = 5
const reportMs = 2000

/**
 * Must show 2: a report that takes two seconds in SQL runs alongside the shop's pages, repeatedly, on a reports connection.
 * The pages are carts, which are personal and read from the database each time.
 */
export async function benchReport(origin: string, databaseUrl: string): Promise<Figure[]> {
  const pool = createPool({ connectionString: databaseUrl, sizes: { reports: 1, single: 1 }, name: 'purlin bench' })
  try {
    const cookies = await carts(origin)
    const steps = await stepsOfReport(pool)
    await pages(origin, cookies)
    const alone: number[] = []
    const beside: number[] = []
    for (let round = 0; round < rounds; round++) {
      alone.push(await pages(origin, cookies))
      let isOver = false
      const reporting = (async () => {
        while (!isOver) await report(pool, steps)
      })()
      beside.push(await pages(origin, cookies))
      isOver = true
      await reporting
    }
    const [before, after] = [quantile(alone, 0.5), quantile(beside, 0.5)]
    return [
      figure('cart page: p99', before, 'ms'),
      figure('cart page beside a report of two seconds: p99', after, 'ms'),
      figure('cart page beside a report of two seconds: p99 of p99 alone', (100 * after) / before, '%', '<= 120'),
    ]
  } finally {
    await pool.end()
  }
}

/** Visitors with products in their cart. */
async function carts(origin: string): Promise<string[]> {
  const { offers } = await goodsOf(origin)
  const answers = await Promise.all(offers.slice(0, 20).map((offerId) => ask(origin, asked(addDocument, { offerId }))))
  return answers.map(({ headers }) => [headers['set-cookie'] ?? []].flat()[0]?.split(';')[0] ?? '')
}

const work = { name: 'bench.report', text: `select sum(length(md5(step::text)))::float8 as sum from generate_series(1, $1::integer) step` }

function report(pool: Pool, steps: number): Promise<unknown> {
  return pool.db.reports.row(work, [steps])
}

/** Enough work to take the database two seconds when idle. */
async function stepsOfReport(pool: Pool): Promise<number> {
  const tried = 500_000
  await report(pool, tried)
  const began = performance.now()
  await report(pool, tried)
  return Math.round((tried * reportMs) / (performance.now() - began))
}

async function pages(origin: string, cookies: readonly string[]): Promise<number> {
  const result = await autocannon({
    url: origin,
    connections: 5,
    duration: seconds,
    overallRate: pagesPerSecond,
    requests: cookies.map((cookie) => ({ method: 'GET' as const, path: '/cart', headers: { cookie } })),
  })
  const failed = result.errors + result.timeouts + result.non2xx
  if (failed > 0) throw new Error(`During the report ${failed} of ${result.requests.total} pages failed`)
  return result.latency.p99
}
