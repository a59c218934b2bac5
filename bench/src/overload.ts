import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { keepBuying } from '@purlin/e2e/chaos/buyers.ts'
import { drip } from '@purlin/e2e/chaos/faults.ts'
import { figure, type Figure } from './figures.ts'
import { alternately, goodputOf, mixedRequests, uncachedPages, type Peak } from './goodput.ts'
import { judgePurchases, judgeResponses } from './judge-load.ts'
import { quantile } from './order-cost.ts'
import { ended, webProcesses } from './web-processes.ts'

/** Between two bytes of a slow client. Many more would keep this program busy, which shares the processors with the shop. */
const slowPauseMs = 500
/** Of each peak: one alone depends on what else the machine does in these seconds. */
const rounds = 3

interface Options {
  origin: string
  /** The shop's first process: the memory of the web processes below it is measured. */
  pid: number | undefined
  databaseUrl: string
  seconds: number
}

/**
 * Goodput, answers with status 200 in a second, of 100, 500 and 2,000 connections that ask as fast as they can, half of them for pages
 * that no cache holds, with and without slow clients, while five guests buy (V-12, V-13). Only ratios between loads of one run mean anything.
 */
export async function benchOverload({ origin, pid, databaseUrl, seconds }: Options): Promise<Figure[]> {
  const port = Number(new URL(origin).port)
  const requests = alternately(await mixedRequests(origin, { categories: 60, products: 100 }), uncachedPages(origin, 160))
  const measure = (connections: number): Promise<Peak> => goodputOf({ origin, requests, connections, seconds })
  const withSlow = async (connections: number): Promise<Peak> => {
    const slow = Array.from({ length: connections / 5 }, () => drip(port, seconds * 1000, slowPauseMs))
    const peak = await measure(connections)
    await Promise.all(slow)
    return peak
  }

  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  pool.on('error', () => undefined)
  let over = false
  let load: 'base' | 'peak' = 'base'
  let largestMb = 0
  const memory = () => (largestMb = Math.max(largestMb, ...webProcesses(pid).map(({ mb }) => mb)))
  const buying = keepBuying({ port, buyers: 5, pool, until: () => over, tries: 3, during: () => load })
  let sampling: NodeJS.Timeout | undefined
  try {
    const figures: Figure[] = []
    const before = webProcesses(pid)
    // Peaks take memory while they last.
    sampling = setInterval(memory, 2000)
    const peaks: Peak[] = []
    const first = await warm(() => measure(100))
    figures.push(figure('goodput at 100 connections', first.good, 'responses/s'))
    const bases = [first]
    for (const [connections, target] of [
      [500, '>= 85'],
      [2000, '>= 75'],
    ] as const)
      for (const [name, run] of [
        ['', measure],
        [', and a fifth as many slow ones', withSlow],
      ] as const) {
        const shares: number[] = []
        const refused: number[] = []
        for (let round = 0; round < rounds; round++) {
          const base = bases.at(-1) ?? first
          load = 'peak'
          const peak = await run(connections)
          load = 'base'
          // The machine is not equally fast from minute to minute: each peak is compared with the load right before it and right after it.
          await sleep(5000)
          const next = await measure(100)
          bases.push(next)
          shares.push((100 * peak.good) / ((base.good + next.good) / 2))
          refused.push((100 * peak.refused) / (peak.good + peak.refused))
          peaks.push(peak)
          process.stderr.write(`${connections} connections${name}: ${shares.at(-1)?.toFixed(0)} % of ${base.good.toFixed(0)} a second\n`)
        }
        figures.push(
          figure(`goodput at ${connections} connections${name}: of that at 100, median of ${rounds}`, quantile(shares, 0.5), '%', target),
        )
        figures.push(figure(`refused at ${connections} connections${name}: of all answers`, quantile(refused, 0.5), '%'))
      }
    over = true
    clearInterval(sampling)
    const purchases = await buying
    return [
      ...figures,
      figure(
        'goodput at 100 connections, five seconds after the last peak: of that before',
        (100 * (bases.at(-1) ?? first).good) / first.good,
        '%',
        '>= 85',
      ),
      ...judgeResponses([...bases, ...peaks]),
      figure('web processes that ended', ended(before, webProcesses(pid)), 'processes', '<= 0'),
      ...judgePurchases(purchases, (during) => during === 'peak'),
      figure('memory of the largest web process, peaks included', memory(), 'MB', '<= 450'),
    ]
  } finally {
    clearInterval(sampling)
    over = true
    await buying.catch(() => undefined)
    await pool.end()
  }
}

/** Until a load is answered no more than three percent faster than the one before: a cold base would flatter every peak. */
async function warm(measure: () => Promise<Peak>): Promise<Peak> {
  let last = await measure()
  for (let round = 0; round < 6; round++) {
    const next = await measure()
    if (next.good <= 1.03 * last.good) return next.good > last.good ? next : last
    last = next
  }
  return last
}
