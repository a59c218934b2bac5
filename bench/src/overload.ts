import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { keepBuying } from '@purlin/e2e/chaos/buyers.ts'
import { drip } from '@purlin/e2e/chaos/faults.ts'
import { figure, type Figure } from './figures.ts'
import { goodputOf, mixedRequests, uncachedPages, type Peak } from './goodput.ts'
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
  const buying = keepBuying({ port, buyers: 5, pool, until: () => over, tries: 3 })
  try {
    const figures: Figure[] = []
    const before = webProcesses(pid)
    let failed = 0
    let broken = 0
    let largestMb = 0
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
          const peak = await run(connections)
          // The machine is not equally fast from minute to minute: each peak is compared with the load right before it and right after it.
          await sleep(5000)
          const next = await measure(100)
          bases.push(next)
          shares.push((100 * peak.good) / ((base.good + next.good) / 2))
          refused.push((100 * peak.refused) / (peak.good + peak.refused))
          failed += peak.failed
          broken += peak.broken
          largestMb = Math.max(largestMb, ...webProcesses(pid).map(({ mb }) => mb))
          process.stderr.write(`${connections} connections${name}: ${shares.at(-1)?.toFixed(0)} % of ${base.good.toFixed(0)} a second\n`)
        }
        figures.push(
          figure(`goodput at ${connections} connections${name}: of that at 100, median of ${rounds}`, quantile(shares, 0.5), '%', target),
        )
        figures.push(figure(`refused at ${connections} connections${name}: of all answers`, quantile(refused, 0.5), '%'))
      }
    over = true
    const { begun, paid, ended: reasons } = await buying
    const left = reasons.get('left without paying') ?? 0
    return [
      ...figures,
      figure(
        'goodput at 100 connections, five seconds after the last peak: of that before',
        (100 * (bases.at(-1) ?? first).good) / first.good,
        '%',
        '>= 85',
      ),
      figure('answers with 500', failed + sum(bases, 'failed'), 'answers', '<= 0'),
      figure('requests without an answer', broken + sum(bases, 'broken'), 'requests', '<= 0'),
      figure('web processes that ended', ended(before, webProcesses(pid)), 'processes', '<= 0'),
      figure(
        'purchases completed: of those begun, but for buyers who leave',
        (100 * paid.length) / Math.max(1, begun - left),
        '%',
        '>= 99',
      ),
      figure('memory of the largest web process', Math.max(largestMb, ...webProcesses(pid).map(({ mb }) => mb)), 'MB', '<= 450'),
    ]
  } finally {
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

const sum = (peaks: readonly Peak[], what: 'failed' | 'broken') => peaks.reduce((all, peak) => all + peak[what], 0)

function alternately<Value>(some: readonly Value[], others: readonly Value[]): Value[] {
  return some.flatMap((value, at) => [value, ...others.slice(at, at + 1)])
}
